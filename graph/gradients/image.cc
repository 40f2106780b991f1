#include "graph/gradients/node_gradient.h"

// Gradients of resizing and cropping.

namespace sluice::graph {
namespace {

void ResizeBilinear(NodeGradient& g) {
  g.Set(0, g.Op("ResizeBilinearGrad", {g.grad(), g.in(0)},
                g.attrs({"align_corners", "half_pixel_centers"})));
}

void ResizeBicubic(NodeGradient& g) {
  const DType type = g.in(0).dtype();
  if (type != kFloat && type != kDouble) return;  // none for others
  g.Set(0, g.Op("ResizeBicubicGrad", {g.grad(), g.in(0)},
                g.attrs({"align_corners", "half_pixel_centers"})));
}

void ResizeNearest(NodeGradient& g) {
  const Output size = g.Op("Slice", {g.b.ShapeOf(g.in(0)), g.b.Ints({1}), g.b.Ints({2})});
  g.Set(0, g.Op("ResizeNearestNeighborGrad", {g.grad(), size},
                g.attrs({"align_corners", "half_pixel_centers"})));
}

void ScaleAndTranslate(NodeGradient& g) {
  if (g.in(0).dtype() != kFloat) return;
  g.Set(0, g.Op("ScaleAndTranslateGrad", {g.grad(), g.in(0), g.in(2), g.in(3)},
                g.attrs({"kernel_type", "antialias"})));
}

void CropAndResize(NodeGradient& g) {  // image, boxes, box_ind, crop_size
  if (g.wanted(0)) {
    AttrMap attrs = g.attrs({"method"});
    attrs["T"] = g.in(0).dtype();
    g.Set(0, g.Op("CropAndResizeGradImage", {g.grad(), g.in(1), g.in(2), g.b.ShapeOf(g.in(0))},
                  std::move(attrs)));
  }
  if (g.wanted(1) && g.attr<std::string>("method", "bilinear") == "bilinear") {
    g.Set(1, g.Op("CropAndResizeGradBoxes", {g.grad(), g.in(0), g.in(1), g.in(2)}));
  }
}

}  // namespace

void AddImageGradients(GradientTable& table) {
  table["ResizeBilinear"] = ResizeBilinear;
  table["ResizeBicubic"] = ResizeBicubic;
  table["ResizeNearestNeighbor"] = ResizeNearest;
  table["ScaleAndTranslate"] = ScaleAndTranslate;
  table["CropAndResize"] = CropAndResize;
}

}  // namespace sluice::graph

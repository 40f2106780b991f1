# SPDX-License-Identifier: Apache-2.0
# sluice_embed_ops(target): links the text of graph/ops/*.ops into the program; graph/ops/embedded_ops.h reads it.
# The assembler copies the bytes, so a thousand ops cost no compile time.
function(sluice_embed_ops target)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/ops/*.ops)
  set(symbols "")
  set(rows "")
  set(n 0)
  foreach(file ${files})
    get_filename_component(name ${file} NAME)
    string(APPEND symbols
      "asm(\".pushsection .rodata\\n\"\n"
      "    \".globl sluice_ops_${n}\\n.hidden sluice_ops_${n}\\n\"\n"
      "    \".globl sluice_ops_end_${n}\\n.hidden sluice_ops_end_${n}\\n\"\n"
      "    \"sluice_ops_${n}: .incbin \\\"${file}\\\"\\n\"\n"
      "    \"sluice_ops_end_${n}: .byte 0\\n.popsection\\n\");\n"
      "extern \"C\" const char sluice_ops_${n}[];\n"
      "extern \"C\" const char sluice_ops_end_${n}[];\n")
    string(APPEND rows
      "      {\"${name}\", {sluice_ops_${n}, static_cast<size_t>(sluice_ops_end_${n} - sluice_ops_${n})}},\n")
    math(EXPR n "${n} + 1")
  endforeach()
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/embedded_ops.cc)
  file(CONFIGURE OUTPUT ${generated} CONTENT [[// Made by cmake/embed_ops.cmake.
#include "graph/ops/embedded_ops.h"

#include <vector>

@symbols@
namespace sluice::graph {

absl::Span<const EmbeddedOps> AllOpFiles() {
  static const auto& files = *new std::vector<EmbeddedOps>{
@rows@  };
  return files;
}

}  // namespace sluice::graph
]] @ONLY)
  set_source_files_properties(${generated} PROPERTIES OBJECT_DEPENDS "${files}")
  add_library(${target} STATIC ${generated})
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(${target} PUBLIC absl::span)
endfunction()

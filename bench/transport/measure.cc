// SPDX-License-Identifier: Apache-2.0
#include "bench/transport/measure.h"

#include <algorithm>
#include <functional>
#include <thread>

#include "bench/transport/clock.h"
#include "bench/transport/figure.h"
#include "bench/transport/statistics.h"

namespace sluice::bench {
namespace {

constexpr int64_t kWindowBytes = 64 << 20;  // size of a stream
constexpr int kWindow = 64, kMostTimes = 100000, kFewestPings = 3;

int Within(double value, int least, int most) {
  return static_cast<int>(std::clamp<double>(value, least, most));
}

// One transport and its measurements.
struct Entry {
  Kind kind;
  std::unique_ptr<Contender> contender;
  Figure latency, bandwidth;
};

std::vector<Entry> OpenAll(const Plan& plan, FarProcess& far) {
  std::vector<Entry> entries;
  for (const Kind& kind : plan.kinds) {
    auto made = CreateContender(kind.name, far, plan.options);
    if (made.ok())
      entries.push_back({kind, *std::move(made), {}, {}});
    else
      ReportMissing(kind, std::string(made.status().message()));
  }
  return entries;
}

// Calls `turn` for each in turns, in reverse in every other round.
template <typename T>
void TakeTurns(std::vector<T>& entries, int rounds, const std::function<void(T&)>& turn) {
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < entries.size(); ++i)
      turn(entries[round % 2 == 0 ? i : entries.size() - 1 - i]);
  }
}

// Adds the usage of `work`, and of the machines during it.
double Account(Figure* figure, FarProcess& far, const std::function<void()>& work) {
  const Usage before = far.UsedSoFar();
  const double start = Now();
  work();
  const double wall = Now() - start;
  figure->wall += wall;
  figure->used += far.UsedSoFar() - before;
  return wall;
}

void MeasureLatency(Entry& entry, const Payload& payload, const Plan& plan, FarProcess& far) {
  Contender& contender = *entry.contender;
  double trip = contender.PingPong(1)[0];  // the first trip; for a large payload it is good enough
  if (trip < plan.seconds) trip = std::max(1e-9, Median(contender.PingPong(kFewestPings)));
  const int times = Within(plan.seconds / trip, kFewestPings, kMostTimes);
  std::vector<double> trips;
  Account(&entry.latency, far, [&] { trips = contender.PingPong(times); });
  for (double& one : trips) one /= 2;
  entry.latency.moved += 2.0 * times * static_cast<double>(payload.bytes());
  entry.latency.rounds.push_back(Median(trips));
  entry.latency.samples.insert(entry.latency.samples.end(), trips.begin(), trips.end());
}

void MeasureBandwidth(Entry& entry, const Payload& payload, int window, const Plan& plan,
                      FarProcess& far) {
  Contender& contender = *entry.contender;
  contender.Stream();
  int times = 0;
  const double wall = Account(&entry.bandwidth, far, [&] {
    const double end = Now() + plan.seconds;
    do {
      contender.Stream();
      ++times;
    } while (Now() < end);
  });
  const double moved = 1.0 * times * window * static_cast<double>(payload.bytes());
  entry.bandwidth.moved += moved;
  entry.bandwidth.rounds.push_back(moved / wall);
}

void MeasurePayload(std::vector<Entry>& entries, const Payload& payload, const Plan& plan,
                    FarProcess& far) {
  const int window = Within(kWindowBytes / static_cast<double>(payload.bytes()), 1, kWindow);
  for (Entry& entry : entries) {
    entry.latency = {.metric = "latency", .kind = entry.kind, .payload = payload};
    entry.bandwidth = {.metric = "bandwidth", .kind = entry.kind, .payload = payload};
  }
  TakeTurns<Entry>(entries, plan.rounds, [&](Entry& entry) {
    if (!entry.contender->Carries(payload)) return;
    entry.contender->Load(payload, window);
    MeasureLatency(entry, payload, plan, far);
    if (entry.contender->Streams()) MeasureBandwidth(entry, payload, window, plan, far);
  });
  for (Entry& entry : entries) {
    for (Figure* figure : {&entry.latency, &entry.bandwidth}) {
      if (!figure->rounds.empty()) ReportFigure(std::move(*figure));
    }
  }
}

// --- servers and workers ---

// The connections of one transport, a row for each worker.
struct Field {
  Kind kind;
  std::vector<std::vector<std::unique_ptr<Contender>>> workers;
  Figure figure;
};

absl::StatusOr<Field> OpenField(const Kind& kind, int servers, int workers, const Plan& plan,
                                FarProcess& far) {
  Field field{kind, {}, {}};
  field.workers.resize(workers);
  for (auto& row : field.workers) {
    for (int i = 0; i < servers; ++i) {
      SLUICE_ASSIGN(auto made, CreateContender(kind.name, far, plan.options));
      row.push_back(std::move(made));
    }
  }
  return field;
}

void ExchangeWithAll(const std::vector<std::unique_ptr<Contender>>& servers) {
  for (const auto& server : servers) server->Post();
  for (const auto& server : servers) server->Await();
}

void MeasureField(Field& field, const Plan& plan, FarProcess& far) {
  for (const auto& row : field.workers) ExchangeWithAll(row);  // connects the channels
  std::vector<int> done(field.workers.size());
  const double wall = Account(&field.figure, far, [&] {
    const double end = Now() + plan.seconds;
    std::vector<std::thread> threads;
    for (size_t i = 0; i < done.size(); ++i) {
      threads.emplace_back([&, i] {
        do {
          ExchangeWithAll(field.workers[i]);
          ++done[i];
        } while (Now() < end);
      });
    }
    for (std::thread& thread : threads) thread.join();
  });
  double exchanges = 0;
  for (size_t i = 0; i < done.size(); ++i)
    exchanges += static_cast<double>(done[i]) * static_cast<double>(field.workers[i].size());
  field.figure.rounds.push_back(exchanges / wall);
  field.figure.moved += 2 * exchanges * static_cast<double>(field.figure.payload.bytes());
}

}  // namespace

void MeasurePayloads(const Plan& plan, const std::vector<Payload>& payloads, FarProcess& far) {
  std::vector<Entry> entries = OpenAll(plan, far);
  for (const Payload& payload : payloads) MeasurePayload(entries, payload, plan, far);
}

void MeasureServersAndWorkers(const Plan& plan, const std::vector<Payload>& payloads, int servers,
                              int workers, FarProcess& far) {
  std::vector<Field> fields;
  for (const Kind& kind : plan.kinds) {
    if (!kind.many) continue;
    auto field = OpenField(kind, servers, workers, plan, far);
    if (field.ok()) fields.push_back(*std::move(field));
  }
  for (const Payload& payload : payloads) {
    for (Field& field : fields) {
      field.figure = {.metric = "exchanges", .kind = field.kind, .payload = payload};
      for (const auto& row : field.workers) {
        for (const auto& contender : row) contender->Load(payload, 1);
      }
    }
    TakeTurns<Field>(fields, plan.rounds, [&](Field& field) { MeasureField(field, plan, far); });
    for (Field& field : fields) ReportFigure(std::move(field.figure));
  }
}

std::vector<double> TimedExchanges(Contender& contender, int times) {
  std::vector<double> trips(times);
  for (double& trip : trips) {
    const double start = Now();
    contender.Post();
    contender.Await();
    trip = Now() - start;
  }
  return trips;
}

}  // namespace sluice::bench

// Misuses of Performance.
#include "qnnpp/backend/performance.hpp"

#include <span>

using namespace qnnpp;

std::uint32_t id_of(const Performance& performance);

// EXPECT: a vote has one owner; write std::move(performance)
Performance a_vote_is_not_copied(Performance& performance) {
#if MISUSE == 1
  return Performance(performance);
#else
  return Performance(std::move(performance));
#endif
}

// EXPECT: this is a Result; test it and pass *performance, or use value_or_throw()
bool a_result_is_no_vote(Result<Performance> performance) {
#if MISUSE == 2
  return id_of(performance) != 0;
#else
  return performance && id_of(*performance) != 0;
#endif
}

// EXPECT: a path is no backend; pass *Backend<Htp>::load({.library = path})
bool a_path_is_no_backend_of_a_vote() {
#if MISUSE == 3
  return Performance::vote("libQnnHtp.so", PerformanceMode::burst).has_value();
#else
  const auto backend = Backend<Htp>::load({.library = "libQnnHtp.so"});
  return backend && Performance::vote(*backend, PerformanceMode::burst).has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *backend, or use value_or_throw()
bool a_result_is_no_backend_of_a_vote(const Result<Backend<Htp>>& backend) {
#if MISUSE == 4
  return Performance::vote(backend, PerformanceMode::burst).has_value();
#else
  return backend && Performance::vote(*backend, PerformanceMode::burst).has_value();
#endif
}

// EXPECT: close() consumes the vote; write std::move(performance).close()
Result<void> a_vote_is_not_closed_while_it_keeps_its_name(Performance performance) {
#if MISUSE == 5
  return performance.close();
#else
  return std::move(performance).close();
#endif
}

// EXPECT: refused() of a temporary would dangle; name the vote first
bool the_refused_settings_of_a_temporary_vote_are_not_lent(const Backend<Htp>& backend) {
#if MISUSE == 6
  return Performance::vote(backend, PerformanceMode::burst).value().refused().empty();
#else
  const auto performance = Performance::vote(backend, PerformanceMode::burst);
  return performance->refused().empty();
#endif
}

// CLANG-CONSUMED: while it is in the 'consumed' state
bool a_closed_vote_is_not_used(Performance performance) {
#if MISUSE == 7
  const bool closed = std::move(performance).close().has_value();
  return closed && performance.id() != 0;
#else
  const bool is_live = performance.id() != 0;
  return std::move(performance).close().has_value() && is_live;
#endif
}

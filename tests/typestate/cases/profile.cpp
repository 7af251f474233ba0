// Misuses of Profile.
#include "qnnpp/backend/profile.hpp"

#include "qnnpp/context/context.hpp"
#include "qnnpp/graph/compose.hpp"
#include "qnnpp/report/profile_file.hpp"

using namespace qnnpp;

// EXPECT: a profile has one owner; write std::move(profile)
Profile a_profile_is_not_copied(Profile& profile) {
#if MISUSE == 1
  return Profile(profile);
#else
  return Profile(std::move(profile));
#endif
}

// EXPECT: this is a Result; test it and pass *std::move(profile), or use value_or_throw()
bool a_result_is_no_profile(const Backend<Htp>& backend) {
#if MISUSE == 2
  Profile profile = Profile::create(backend);
  return profile.records().empty();
#else
  auto profile = Profile::create(backend);
  return profile && profile->records().empty();
#endif
}

// EXPECT: this is a Result; test it and pass *backend, or use value_or_throw()
bool a_profile_is_not_made_from_a_result(const Result<Backend<Htp>>& backend) {
#if MISUSE == 3
  return Profile::create(backend).has_value();
#else
  return backend && Profile::create(*backend).has_value();
#endif
}

// EXPECT: records() of a temporary would dangle; name the profile first
std::size_t the_records_of_a_temporary_profile_are_not_lent(Profile& profile) {
#if MISUSE == 4
  return std::move(profile).records().size();
#else
  return profile.records().size();
#endif
}

// EXPECT: native() of a temporary would dangle; name the profile first
c_api::ProfileHandle the_handle_of_a_temporary_profile_is_not_handed_out(Profile& profile) {
#if MISUSE == 5
  return std::move(profile).native();
#else
  return profile.native();
#endif
}

// EXPECT: close() consumes the profile; write std::move(profile).close()
bool a_profile_is_closed_as_an_rvalue(Profile profile) {
#if MISUSE == 6
  return profile.close().has_value();
#else
  return std::move(profile).close().has_value();
#endif
}

// EXPECT: finalize() consumes the context; write std::move(context).finalize()
bool a_context_is_finalized_with_a_profile_as_an_rvalue(Context<Registered> context,
                                                        Profile& profile) {
#if MISUSE == 7
  return context.finalize(&profile).has_value();
#else
  return std::move(context).finalize(&profile).has_value();
#endif
}

// EXPECT: close() consumes the context; write std::move(context).close()
bool a_context_is_closed_with_a_profile_as_an_rvalue(Context<Finalized> context, Profile& profile) {
#if MISUSE == 8
  return context.close(&profile).has_value();
#else
  return std::move(context).close(&profile).has_value();
#endif
}

// EXPECT: finalize() consumes the graph; write std::move(graph).finalize()
bool a_graph_is_finalized_with_a_profile_as_an_rvalue(Graph<Composing> graph, Profile& profile) {
#if MISUSE == 9
  return graph.finalize(&profile).has_value();
#else
  return std::move(graph).finalize(&profile).has_value();
#endif
}

// EXPECT: a profile file has one owner; write std::move(file)
ProfileFile a_profile_file_is_not_copied(ProfileFile& file) {
#if MISUSE == 10
  return ProfileFile(file);
#else
  return ProfileFile(std::move(file));
#endif
}

// EXPECT: this is a Result; test it and pass *std::move(file), or use value_or_throw()
bool a_result_is_no_profile_file(const Backend<Htp>& backend, const ProfileRecord& record) {
#if MISUSE == 11
  ProfileFile file = ProfileFile::create(backend, "run.bin");
  return file.write(record).has_value();
#else
  auto file = ProfileFile::create(backend, "run.bin");
  return file && file->write(record).has_value();
#endif
}

// EXPECT: close() consumes the file; write std::move(file).close()
bool a_profile_file_is_closed_as_an_rvalue(ProfileFile file) {
#if MISUSE == 12
  return file.close().has_value();
#else
  return std::move(file).close().has_value();
#endif
}

// Profile: its creation, and the events that it reads from a backend, which may be wrong.
#include "qnnpp/backend/profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/htp/profile.hpp"
#include "qnnpp/backend/detail/profiled_call.hpp"

#include "fake_library.hpp"

namespace {

namespace c_api = qnnpp::c_api;
using qnnpp::Backend;
using qnnpp::Errc;
using qnnpp::Htp;
using qnnpp::Profile;
using qnnpp::ProfileEvent;
using qnnpp::ProfileLevel;
using qnnpp::ProfileRecord;

class profile_of_a_fake : public fakes::Fake {
 protected:
  void SetUp() override {
    Fake::SetUp();
    // An event with two events below it, and one without.
    event(1, c_api::profile_event_type::execute, "whole", 100).below_count = 2;
    fake().events[0].below[0] = 2;
    fake().events[0].below[1] = 3;
    event(2, c_api::profile_event_type::node, "conv1", 60);
    event(3, c_api::profile_event_type::node, nullptr, 40).data.v1.timestamp = 77;
    event(4, 4711, "later", 9).data.v1.unit = c_api::profile_event_unit::count;
    fake().top_level[0] = 1;
    fake().top_level[1] = 4;
    fake().top_level_count = 2;
  }

  fakes::Event& event(std::uint64_t id, std::uint32_t type, const char* name, std::uint64_t value) {
    fakes::Event& made = fake().events[id - 1];
    made.data.version = c_api::ProfileExtendedEventDataVersion::v1;
    made.data.v1.type = type;
    made.data.v1.unit = c_api::profile_event_unit::microsec;
    made.data.v1.value.data_type = c_api::DataType::uint_64;
    made.data.v1.value.uint64_value = value;
    made.data.v1.identifier = name;
    return made;
  }

  /// Records a call that succeeds, and returns the record.
  static ProfileRecord record_of(qnnpp::ProfileLevel level = qnnpp::ProfileLevel::basic) {
    auto backend = Backend<Htp>::load({.library = path});
    if (!backend) {
      ADD_FAILURE() << backend.error().message();
      return {};
    }
    auto profile = Profile::create(*backend, level);
    if (!profile) {
      ADD_FAILURE() << profile.error().message();
      return {};
    }
    qnnpp::detail::ProfiledCall call(&*profile, "QnnGraph_execute");
    const auto done = call([](c_api::ProfileHandle) { return Result<void>(); });
    call.record("decoder", done);
    auto records = profile->take();
    if (records.size() != 1) {
      ADD_FAILURE() << records.size() << " records";
      return {};
    }
    return std::move(records.front());
  }
  void expect_malformed(const ProfileRecord& record, const char* words) const {
    ASSERT_TRUE(record.error.has_value());
    EXPECT_EQ(record.error->kind, Errc::malformed);
    EXPECT_NE(record.error->detail.find(words), std::string::npos) << record.error->message();
  }
};

TEST_F(profile_of_a_fake, is_created_with_its_level_and_freed_before_its_backend) {
  for (const auto& [level, native] :
       {std::pair{ProfileLevel::basic, c_api::profile_level::basic},
        std::pair{ProfileLevel::detailed, c_api::profile_level::detailed},
        std::pair{ProfileLevel::linting, c_api::htp_profile_level::linting}}) {
    control->record = {};
    (void)record_of(level);
    EXPECT_EQ(record().profile_level, native);
    EXPECT_EQ(record().live_profiles, 0);
    const std::vector<std::string> all = calls();
    EXPECT_LT(std::find(all.begin(), all.end(), "QnnProfile_free"),
              std::find(all.begin(), all.end(), "QnnBackend_free"));
    expect_nothing_open();
  }
}

TEST_F(profile_of_a_fake, copies_all_events_in_their_order) {
  const ProfileRecord record = record_of();
  EXPECT_FALSE(record.error.has_value());
  EXPECT_EQ(record.call, "QnnGraph_execute");
  EXPECT_EQ(record.object, "decoder");
  ASSERT_EQ(record.events.size(), 4u);
  const auto expect = [&](std::size_t place, std::uint32_t type, const char* node,
                          std::uint64_t value, std::uint32_t depth, std::size_t parent) {
    const ProfileEvent& event = record.events[place];
    EXPECT_EQ(event.type, type);
    EXPECT_EQ(event.node, node);
    EXPECT_EQ(event.value, value);
    EXPECT_EQ(event.depth, depth);
    EXPECT_EQ(event.parent, parent);
  };
  expect(0, 400, "whole", 100, 0, ProfileEvent::none);
  expect(1, 404, "conv1", 60, 1, 0);
  expect(2, 404, "", 40, 1, 0);
  expect(3, 4711, "later", 9, 0, ProfileEvent::none);
  EXPECT_EQ(record.events[3].unit, c_api::profile_event_unit::count);
}

TEST_F(profile_of_a_fake, has_a_time_only_if_the_backend_states_one) {
  const ProfileRecord record = record_of();
  EXPECT_EQ(record.events[1].time, std::nullopt);
  EXPECT_EQ(record.events[2].time, 77u);
}

TEST_F(profile_of_a_fake, reads_plain_events_without_the_slot_or_the_capability_of_extended_ones) {
  const auto expect_plain = [&] {
    control->record = {};
    const ProfileRecord plain = record_of();
    EXPECT_EQ(plain.events.size(), 4u);
    EXPECT_EQ(plain.events[2].value, 40u);
    EXPECT_EQ(plain.events[2].time, std::nullopt) << "a plain event has no time";
    EXPECT_EQ(record().extended_events, 0);
    EXPECT_EQ(record().plain_events, 4);
  };
  fake().capability_result = 1000;
  expect_plain();
  fake().capability_result = 0;
  fake().null_slots[0] = static_cast<std::int32_t>(c_api::Slot::profile_get_extended_event_data);
  expect_plain();
}

TEST_F(profile_of_a_fake, reads_a_value_that_is_no_whole_number_by_the_plain_call) {
  fake().events[1].data.v1.value.data_type = c_api::DataType::float_32;
  fake().events[2].data.version = c_api::ProfileExtendedEventDataVersion::undefined;
  const ProfileRecord record = record_of();
  EXPECT_FALSE(record.error.has_value());
  EXPECT_EQ(record.events.size(), 4u);
  EXPECT_EQ(this->record().plain_events, 2);
}

TEST_F(profile_of_a_fake, copies_the_bytes_of_an_op_trace) {
  const std::array<std::byte, 3> bytes{std::byte{1}, std::byte{2}, std::byte{3}};
  auto& trace = event(4, c_api::profile_event_type::trace, "trace", 0).data.v1;
  trace.unit = c_api::profile_event_unit::object;
  trace.backend_opaque_object = {{const_cast<std::byte*>(bytes.data()), bytes.size()}, "ops.bin"};
  const ProfileRecord record = record_of(ProfileLevel::op_trace);
  EXPECT_TRUE(this->record().op_trace);
  ASSERT_EQ(record.events.size(), 4u);
  EXPECT_EQ(record.events[3].object, std::vector<std::byte>(bytes.begin(), bytes.end()));
  EXPECT_EQ(record.events[3].value, 0u);
  EXPECT_EQ(record.events[3].file, "ops.bin");

  trace.backend_opaque_object = {{nullptr, 3}, nullptr};
  const ProfileRecord null = record_of();
  expect_malformed(null, "address is null");
  EXPECT_EQ(null.events.size(), 3u) << "the events before the wrong one are kept";
  trace.backend_opaque_object = {{const_cast<std::byte*>(bytes.data()), UINT64_MAX}, nullptr};
  expect_malformed(record_of(), "bytes of an object");
}

TEST_F(profile_of_a_fake, reads_objects_of_a_limited_sum) {
  std::byte byte{};
  for (const std::size_t place : {1u, 2u}) {
    auto& object = fake().events[place].data.v1;
    object.unit = c_api::profile_event_unit::object;
    object.backend_opaque_object = {{&byte, 1}, nullptr};
  }
  EXPECT_FALSE(record_of().error.has_value());
  fake().events[2].data.v1.backend_opaque_object.opaque_object.len = 1u << 30;
  expect_malformed(record_of(), "bytes of an object");
}

TEST_F(profile_of_a_fake, reads_no_more_events_than_any_call_has) {
  fake().top_level_count = 0xFFFFFFFF;
  expect_malformed(record_of(), "4294967295 events");
  fake().top_level_count = 2;
  fake().events[0].null_list = true;
  expect_malformed(record_of(), "address is null");
}

TEST_F(profile_of_a_fake, reads_a_limited_number_of_levels) {
  fake().events[1].below[0] = 2;  // Below itself.
  fake().events[1].below_count = 1;
  expect_malformed(record_of(), "more than 16 levels");
}

TEST_F(profile_of_a_fake, reads_a_name_of_limited_length) {
  const std::string name(5000, 'n');
  fake().events[1].data.v1.identifier = name.c_str();
  expect_malformed(record_of(), "more than 4096 bytes");
}

/// A profile, whose calls the fake fills with events.
struct Recorded {
  Profile profile;

  /// Records a call for `object`, which succeeds or fails.
  void call(const std::string& object = "decoder", bool succeeds = true) {
    qnnpp::detail::ProfiledCall call(&profile, "QnnGraph_execute");
    const auto done = call([&](c_api::ProfileHandle) {
      return succeeds ? Result<void>() : qnnpp::fail(Errc::qnn, "QnnGraph_execute", object);
    });
    call.record(object, done);
  }
};

/// Names of a record's events, with a comma after each.
std::string nodes_of(const ProfileRecord& record) {
  std::string nodes;
  for (const ProfileEvent& event : record.events) nodes += event.node + ",";
  return nodes;
}

TEST_F(profile_of_a_fake, keeps_the_names_that_each_call_had) {
  const auto backend = Backend<Htp>::load({.library = path});
  ASSERT_TRUE(backend.has_value());
  auto made = Profile::create(*backend);
  ASSERT_TRUE(made.has_value());
  Recorded recorded{std::move(*made)};
  const char*& node = fake().events[1].data.v1.identifier;
  for (const char* name : {"conv1", "conv10", "conv", "", static_cast<const char*>(nullptr),
                           "a name that is too long for a string without memory", "conv1"}) {
    node = name;
    recorded.call(name == nullptr ? "null" : name);
  }
  const std::vector<ProfileRecord> all = recorded.profile.take();
  ASSERT_EQ(all.size(), 7u);
  const char* const objects[] = {
      "conv1", "conv10", "conv", "", "null", "a name that is too long for a string without memory",
      "conv1"};
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].object, objects[i]);
    const std::string expected = i == 4 ? "" : objects[i];
    EXPECT_EQ(nodes_of(all[i]), "whole," + expected + ",,later,");
  }
}

TEST_F(profile_of_a_fake, has_the_same_records_whenever_it_is_read_or_cleared) {
  const auto backend = Backend<Htp>::load({.library = path});
  ASSERT_TRUE(backend.has_value());
  auto made = Profile::create(*backend);
  ASSERT_TRUE(made.has_value());
  Recorded recorded{std::move(*made)};
  std::vector<ProfileRecord> taken;
  std::uint64_t value = 0;
  const auto call = [&](std::uint32_t top_level, const char* name, bool succeeds = true) {
    fake().top_level_count = top_level;
    fake().events[0].data.v1.identifier = name;
    fake().events[0].data.v1.value.uint64_value = ++value;
    recorded.call(name, succeeds);
  };
  const auto expect = [&](const ProfileRecord& record, std::uint64_t number, std::size_t events,
                          const std::string& nodes) {
    ASSERT_EQ(record.events.size(), events);
    if (events != 0) {
      EXPECT_EQ(record.events[0].value, number);
    }
    EXPECT_EQ(nodes_of(record), nodes);
    for (std::size_t i = 0; i < events; ++i)
      EXPECT_EQ(record.events[i].parent, i == 1 || i == 2 ? 0u : ProfileEvent::none);
  };
  call(2, "long");
  call(1, "short");
  ASSERT_EQ(recorded.profile.records().size(), 2u);
  call(2, "long");  // after it was read
  const std::vector<ProfileRecord>& all = recorded.profile.records();
  ASSERT_EQ(all.size(), 3u);
  expect(all[0], 1, 4, "long,conv1,,later,");
  expect(all[1], 2, 3, "short,conv1,,");
  expect(all[2], 3, 4, "long,conv1,,later,");
  recorded.profile.clear();
  EXPECT_TRUE(recorded.profile.records().empty());
  call(1, "short");
  taken = recorded.profile.take();  // a record that it has not shown yet
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_TRUE(recorded.profile.take().empty());
  call(2, "other");
  call(2, "another", false);  // with new events
  recorded.profile.clear();   // records that it has not shown yet
  call(0, "none");
  call(2, "long");
  expect(taken[0], 4, 3, "short,conv1,,");
  const std::vector<ProfileRecord> last = recorded.profile.take();
  ASSERT_EQ(last.size(), 2u);
  expect(last[0], 7, 0, "");
  expect(last[1], 8, 4, "long,conv1,,later,");
}

TEST_F(profile_of_a_fake, records_a_failed_call_between_others_without_their_events) {
  const auto backend = Backend<Htp>::load({.library = path});
  ASSERT_TRUE(backend.has_value());
  auto made = Profile::create(*backend);
  ASSERT_TRUE(made.has_value());
  Recorded recorded{std::move(*made)};
  recorded.call("first");
  recorded.call("failed", false);  // with the events of the first
  recorded.call("second");
  fake().events[2].null_list = true;  // the events of this call are read in part
  fake().events[2].below_count = 1;
  recorded.call("malformed");
  fake().events[2].below_count = 0;
  recorded.call("failed too", false);
  recorded.call("third");
  const std::vector<ProfileRecord>& all = recorded.profile.records();
  ASSERT_EQ(all.size(), 6u);
  const std::size_t events[] = {4, 0, 4, 3, 0, 4};
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].events.size(), events[i]) << all[i].object;
    EXPECT_EQ(all[i].succeeded, i != 1 && i != 4) << all[i].object;
    EXPECT_EQ(all[i].error.has_value(), i == 3) << all[i].object;
  }
  expect_malformed(all[3], "address is null");
  EXPECT_EQ(nodes_of(all[5]), nodes_of(all[0]));
}

TEST_F(profile_of_a_fake, gives_each_object_to_its_event) {
  std::array<std::byte, 4> bytes{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
  auto& first = event(2, c_api::profile_event_type::trace, "one", 0).data.v1;
  auto& second = event(4, c_api::profile_event_type::trace, "two", 0).data.v1;
  first.unit = second.unit = c_api::profile_event_unit::object;
  first.backend_opaque_object = {{bytes.data(), 1}, "one.bin"};
  second.backend_opaque_object = {{bytes.data() + 1, 3}, nullptr};
  const auto backend = Backend<Htp>::load({.library = path});
  ASSERT_TRUE(backend.has_value());
  auto made = Profile::create(*backend, ProfileLevel::op_trace);
  ASSERT_TRUE(made.has_value());
  Recorded recorded{std::move(*made)};
  recorded.call();
  recorded.profile.clear();
  recorded.call();
  recorded.call("failed", false);  // its objects are removed with its events
  bytes[0] = std::byte{5};
  second.backend_opaque_object = {{nullptr, 0}, "two.bin"};
  recorded.call();
  const std::vector<ProfileRecord> all = recorded.profile.take();
  ASSERT_EQ(all.size(), 3u);
  ASSERT_EQ(all[0].events.size(), 4u);
  ASSERT_TRUE(all[1].events.empty());
  ASSERT_EQ(all[2].events.size(), 4u);
  const auto of = [](std::initializer_list<unsigned char> values) {
    std::vector<std::byte> object;
    for (const unsigned char value : values) object.push_back(std::byte{value});
    return object;
  };
  EXPECT_EQ(all[0].events[1].object, of({1}));
  EXPECT_EQ(all[0].events[1].file, "one.bin");
  EXPECT_TRUE(all[0].events[0].object.empty());
  EXPECT_EQ(all[0].events[3].object, of({2, 3, 4}));
  EXPECT_EQ(all[0].events[3].file, "");
  EXPECT_EQ(all[2].events[1].object, of({5}));
  EXPECT_TRUE(all[2].events[3].object.empty());
  EXPECT_EQ(all[2].events[3].file, "two.bin");
}

TEST_F(profile_of_a_fake, has_nothing_of_the_calls_before_in_an_event) {
  const auto backend = Backend<Htp>::load({.library = path});
  ASSERT_TRUE(backend.has_value());
  auto made = Profile::create(*backend, ProfileLevel::op_trace);
  ASSERT_TRUE(made.has_value());
  Recorded recorded{std::move(*made)};
  std::byte byte{1};
  const fakes::Event plain = fake().events[1];
  fakes::Event traced = plain;
  traced.data.v1.unit = c_api::profile_event_unit::object;
  traced.data.v1.timestamp = 5;
  traced.data.v1.backend_opaque_object = {{&byte, 1}, "trace.bin"};
  const ProfileEvent node{.type = c_api::profile_event_type::node,
                          .value = 60,
                          .node = "conv1",
                          .depth = 1,
                          .parent = 0};
  const auto second_event = [&] {
    recorded.call();
    const std::vector<ProfileRecord> all = recorded.profile.take();
    return all.at(0).events.at(1);
  };
  EXPECT_EQ(second_event(), node);
  fake().events[1] = traced;
  ProfileEvent object = node;
  object.unit = c_api::profile_event_unit::object;
  object.value = 0;
  object.time = 5;
  object.object = {byte};
  object.file = "trace.bin";
  EXPECT_EQ(second_event(), object);
  fake().events[1] = plain;
  EXPECT_EQ(second_event(), node);
  fake().events[1] = traced;
  EXPECT_EQ(second_event(), object);
  fake().events[1] = plain;
  fake().events[1].data.v1.value.data_type = c_api::DataType::float_32;  // read by the plain call
  EXPECT_EQ(second_event(), node);
}

TEST_F(profile_of_a_fake, that_was_moved_has_the_records) {
  const auto backend = Backend<Htp>::load({.library = path});
  ASSERT_TRUE(backend.has_value());
  auto made = Profile::create(*backend);
  ASSERT_TRUE(made.has_value());
  Recorded recorded{std::move(*made)};
  recorded.call("before");
  Recorded moved{std::move(recorded.profile)};
  moved.call("after");
  ASSERT_EQ(moved.profile.records().size(), 2u);
  EXPECT_EQ(moved.profile.records()[0].object, "before");
  EXPECT_EQ(moved.profile.records()[1].object, "after");
  EXPECT_EQ(nodes_of(moved.profile.records()[1]), "whole,conv1,,later,");
  recorded.profile.clear();
  EXPECT_TRUE(recorded.profile.take().empty());
}

TEST_F(profile_of_a_fake, has_an_op_trace_if_the_backend_has_one) {
  const auto backend = Backend<Htp>::load({.library = path});
  ASSERT_TRUE(backend.has_value());
  fake().capability_result = 1000;
  const auto made = Profile::create(*backend, ProfileLevel::op_trace);
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().kind, Errc::capability_missing);
  EXPECT_EQ(record().live_profiles, 0);
}

TEST_F(profile_of_a_fake, has_a_level_that_exists) {
  const auto backend = Backend<Htp>::load({.library = path});
  ASSERT_TRUE(backend.has_value());
  const auto made = Profile::create(*backend, static_cast<ProfileLevel>(77));
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().kind, Errc::invalid_argument);
}

TEST_F(profile_of_a_fake, that_cannot_be_created_leaves_nothing) {
  const auto backend = Backend<Htp>::load({.library = path});
  ASSERT_TRUE(backend.has_value());
  const auto expect_error = [&](const char* step, int code) {
    const auto made = Profile::create(*backend, ProfileLevel::op_trace);
    ASSERT_FALSE(made.has_value());
    EXPECT_STREQ(made.error().step, step);
    EXPECT_EQ(made.error().code, code);
    EXPECT_EQ(record().live_profiles, 0);
  };
  fake().profile_create_result = 1002;
  expect_error("QnnProfile_create", 1002);
  fake().profile_create_result = 0;
  fake().profile_set_config_result = 12000;
  expect_error("QnnProfile_setConfig", 12000);
}

TEST_F(profile_of_a_fake, needs_the_slots_of_profiles) {
  for (const auto slot : {c_api::Slot::profile_create, c_api::Slot::profile_get_events,
                          c_api::Slot::profile_get_sub_events, c_api::Slot::profile_get_event_data,
                          c_api::Slot::profile_free}) {
    fake().null_slots[0] = static_cast<std::int32_t>(slot);
    const auto backend = Backend<Htp>::load({.library = path});
    ASSERT_TRUE(backend.has_value());
    const auto made = Profile::create(*backend);
    ASSERT_FALSE(made.has_value());
    EXPECT_EQ(made.error().kind, Errc::slot_null);
    EXPECT_STREQ(made.error().step, c_api::name_of(slot));
  }
}

TEST_F(profile_of_a_fake, returns_the_error_of_its_release) {
  const auto backend = Backend<Htp>::load({.library = path});
  ASSERT_TRUE(backend.has_value());
  auto made = Profile::create(*backend);
  ASSERT_TRUE(made.has_value());
  fake().profile_free_result = 12001;
  const auto closed = std::move(*made).close();
  ASSERT_FALSE(closed.has_value());
  EXPECT_EQ(closed.error().code, 12001);
  EXPECT_EQ(record().live_profiles, 0) << "not freed again";
}

TEST(names_of_events, are_plain_words) {
  EXPECT_STREQ(qnnpp::event_name(400), "execution");
  EXPECT_STREQ(qnnpp::event_name(3001), "RPC time (host)");
  EXPECT_STREQ(qnnpp::event_name(8001), "HVX threads");
  EXPECT_STREQ(qnnpp::event_name(4711), "unknown event");
  EXPECT_STREQ(qnnpp::unit_name(1), "us");
  EXPECT_STREQ(qnnpp::unit_name(4), "");
}

}  // namespace

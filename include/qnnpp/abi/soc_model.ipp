// Numbers of soc_model.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/soc_model.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum SocModel;
  using detail::is;
  return is(unknown, 0) && is(sdm845, 1) && is(sdm835, 2) && is(sdm821, 3) && is(sdm820, 4) &&
         is(sdm801, 5) && is(sdm670, 6) && is(sdm660, 7) && is(sdm652, 8) && is(sdm636, 9) &&
         is(sdm630, 10) && is(sdm625, 11) && is(sdm855, 12) && is(sdm710, 13) && is(sdm632, 15) &&
         is(sm6150, 16) && is(sm7150, 17) && is(qcs405, 18) && is(sm6125, 19) && is(qcs403, 20) &&
         is(sdm865, 21) && is(ipq6018, 23) && is(ipq6028, 24) && is(sm7250, 25) && is(sa8195, 26) &&
         is(sm6250, 27) && is(sm4250, 28) && is(sm6350, 29) && is(sm8350, 30) && is(sm4350, 31) &&
         is(sm7350, 32) && is(qcs410, 33) && is(sm8325, 34) && is(sm7325, 35) && is(sm8450, 36) &&
         is(sc8280x, 37) && is(sm7315, 38) && is(sa8295, 39) && is(sm6225, 40) && is(sm7450, 41) &&
         is(sm8475, 42) && is(sm8550, 43) && is(sxr1230p, 45) && is(ssg2115p, 46) &&
         is(stp6225p, 47) && is(qcs6125, 48) && is(qrb4210, 49) && is(sm6450, 50) &&
         is(qcs7230, 51) && is(sa8255, 52) && is(sxr2230p, 53) && is(sm7475, 54) &&
         is(sm4375, 55) && is(qcm4325, 56) && is(sm8650, 57) && is(ssg2125p, 58) &&
         is(sm4450, 59) && is(sc8380xp, 60) && is(sm7435, 61) && is(sa8540, 62) && is(aic100, 63) &&
         is(sm7550, 64) && is(sm6450q, 65) && is(qcs8550, 66) && is(sa8620p, 67) &&
         is(sm8635, 68) && is(sm8750, 69) && is(sm7675, 70) && is(sm4635, 71) && is(sa8797, 72) &&
         is(sm7635, 73) && is(sm6650, 74) && is(sxr2330p, 75) && is(sm6475, 76) &&
         is(qcs9100, 77) && is(qcm6690, 78) && is(ipq9574, 79) && is(ipq5404, 80) &&
         is(ipq5424, 81) && is(qcs8300, 82) && is(qcs2290, 83) && is(sa525m, 84) &&
         is(sm8735, 85) && is(sm7750, 86) && is(sm8850, 87) && is(dynamic_sdm, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api

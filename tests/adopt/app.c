/* An app in C that loads QNN and makes its objects itself, and gives them to a network in C++.
   Usage: app HTP SYSTEM RPCMEM BINARIES/ borrowed|owned|given_back */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../sim/tests/c_declarations.h"
#include "network.h"

#define SLOT(index, ...) ((qnn_error(*)(__VA_ARGS__))qnn->slots[index])
#define CHECK(condition) \
  ((condition) ? (void)0 : (fprintf(stderr, "not: %s\n", #condition), exit(1)))

static char binary[1 << 20];
static float image[IMAGE], scores[SCORES];

int main(int argc, char** argv) {
  CHECK(argc == 6);
  char stem[4096];
  snprintf(stem, sizeof stem, "%sstem.bin", argv[4]);
  FILE* const file = fopen(stem, "rb");
  CHECK(file != NULL);
  const size_t bytes = fread(binary, 1, sizeof binary, file);
  fclose(file);
  void* const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  CHECK(library != NULL);
  qnn_error (*get_providers)(const qnn_provider***, uint32_t*);
  *(void**)&get_providers = dlsym(library, "QnnInterface_getProviders");
  const qnn_provider** providers = NULL;
  uint32_t count = 0;
  CHECK(get_providers(&providers, &count) == 0 && count == 1);
  const qnn_provider* const qnn = providers[0];

  struct app app = {qnn, NULL, NULL, NULL, NULL, argv[4], argv[2], argv[3]};
  CHECK(SLOT(25, void*, uint32_t, void**)(NULL, 1, &app.log) == 0);
  CHECK(SLOT(1, void*, void*, void**)(app.log, NULL, &app.backend) == 0);
  CHECK(SLOT(40, void*, void*, void**)(app.log, NULL, &app.device) == 0);
  CHECK(SLOT(13, void*, void*, void*, const void*, uint64_t, void**, void*)(
            app.backend, app.device, NULL, binary, bytes, &app.stem, NULL) == 0);

  for (int x = 7, y = 6; x < 21; ++x) image[28 * y + x] = image[28 * y + x + 1] = 1; /* a 7 */
  for (int i = 0; i < 14; ++i)
    image[28 * (6 + i) + 20 - i / 2] = image[28 * (6 + i) + 21 - i / 2] = 1;
  struct network* const network = network_create(&app, strcmp(argv[5], "borrowed") != 0);
  CHECK(network != NULL);
  if (strcmp(argv[5], "owned") == 0) dlclose(library); /* The network keeps it open. */
  CHECK(network_run(network, image, scores) == 0);
  printf("probability of 7: %.4f\n", scores[7]);
  if (strcmp(argv[5], "given_back") == 0)
    CHECK(network_give_back(network) == 0);
  else
    network_destroy(network);
  if (strcmp(argv[5], "owned") == 0) return 0; /* Everything is freed. */
  CHECK(SLOT(14, void*, void*)(app.stem, NULL) == 0);
  CHECK(SLOT(43, void*)(app.device) == 0);
  CHECK(SLOT(8, void*)(app.backend) == 0 && SLOT(27, void*)(app.log) == 0);
  return 0;
}

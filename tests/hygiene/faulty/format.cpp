// clang-format reports this file.
int  main( ) { return 0 ; }

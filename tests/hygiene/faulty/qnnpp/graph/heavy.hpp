// Includes what is too heavy, and a foreign library.
#pragma once
#include <iostream>
#include <boost/any.hpp>

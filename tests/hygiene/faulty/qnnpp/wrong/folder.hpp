// Lies in a folder that is not a layer.
#pragma once

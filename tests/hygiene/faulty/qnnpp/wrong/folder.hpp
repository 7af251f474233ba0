// Lives in a folder that is no layer.
#pragma once

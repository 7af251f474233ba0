namespace qnnpp {}

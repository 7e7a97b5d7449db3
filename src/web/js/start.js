// Additions to pages that work without them. The parts of this script stand in files of their own and are joined when the program is built.
'use strict';

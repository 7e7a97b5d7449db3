// Additions to pages that work without them. The parts of this script stand in files of their own and are joined when the program is built.
'use strict';
function element(name, properties, ...children) {
  const added = Object.assign(document.createElement(name), properties);
  added.append(...children);
  return added;
}

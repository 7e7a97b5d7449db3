mod current;

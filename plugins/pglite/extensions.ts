/** Extensions that the package of the engine brings along, of those that schemas use. */
export const EXTENSIONS = [
  'btree_gin',
  'btree_gist',
  'citext',
  'cube',
  'earthdistance',
  'fuzzystrmatch',
  'hstore',
  'intarray',
  'isn',
  'ltree',
  'pg_trgm',
  'tablefunc',
  'unaccent',
]

/** English nouns whose plural follows no rule: singular → plural. */
const IRREGULAR: Readonly<Record<string, string>> = {
  person: 'people',
  man: 'men',
  woman: 'women',
  child: 'children',
  foot: 'feet',
  tooth: 'teeth',
  goose: 'geese',
  mouse: 'mice',
  ox: 'oxen',
  criterion: 'criteria',
  phenomenon: 'phenomena',
  datum: 'data',
  medium: 'media',
  curriculum: 'curricula',
  quiz: 'quizzes',
  leaf: 'leaves',
  life: 'lives',
  wife: 'wives',
  knife: 'knives',
  half: 'halves',
  self: 'selves',
  shelf: 'shelves',
  thief: 'thieves',
  wolf: 'wolves',
  calf: 'calves',
  loaf: 'loaves',
  hero: 'heroes',
  potato: 'potatoes',
  tomato: 'tomatoes',
  echo: 'echoes',
  veto: 'vetoes',
  cargo: 'cargoes',
  cookie: 'cookies',
  movie: 'movies',
  zombie: 'zombies',
  pie: 'pies',
  tie: 'ties',
  lie: 'lies',
  index: 'indexes',
  vertex: 'vertices',
  matrix: 'matrices',
  appendix: 'appendices',
  axis: 'axes',
  cache: 'caches',
  bus: 'buses',
  gas: 'gases',
  lens: 'lenses',
  alias: 'aliases',
  atlas: 'atlases',
  canvas: 'canvases',
  bias: 'biases',
  status: 'statuses',
  menu: 'menus',
  sku: 'skus',
  cpu: 'cpus',
  gpu: 'gpus',
  guru: 'gurus',
}

/** Nouns with one form. */
const UNCOUNTABLE: ReadonlySet<string> = new Set(
  'news series species information equipment money rice fish sheep deer aircraft metadata software hardware feedback staff audio traffic analytics statistics economics physics mathematics sms'.split(
    ' ',
  ),
)

const SINGULARS: ReadonlyMap<string, string> = new Map(Object.entries(IRREGULAR).map(([one, many]) => [many, one]))

const TO_SINGULAR: readonly (readonly [RegExp, string])[] = [
  // Already singular: address, status, analysis.
  [/(ss|us|is)$/, '$1'],
  [/([^aeiou])ies$/, '$1y'],
  [/(analy|diagno|synop|the|cri|ba|parenthe|hypothe|synthe|empha)ses$/, '$1sis'],
  [/(ss|sh|ch|x|zz|tus|rus|nus|mus)es$/, '$1'],
  [/([^s])s$/, '$1'],
]

const TO_PLURAL: readonly (readonly [RegExp, string])[] = [
  [/([^aeiou])y$/, '$1ies'],
  [/sis$/, 'ses'],
  [/(s|sh|ch|x|z)$/, '$1es'],
  [/$/, 's'],
]

/** Returns the singular of an English word in lower case. A singular is unchanged. */
export function singularOf(word: string): string {
  if (UNCOUNTABLE.has(word) || Object.hasOwn(IRREGULAR, word)) return word
  return SINGULARS.get(word) ?? applied(TO_SINGULAR, word)
}

/** Returns the plural of an English word in lower case. A plural is unchanged. */
export function pluralOf(word: string): string {
  if (UNCOUNTABLE.has(word) || SINGULARS.has(word)) return word
  const irregular = Object.hasOwn(IRREGULAR, word) ? IRREGULAR[word] : undefined
  return irregular ?? applied(TO_PLURAL, singularOf(word))
}

function applied(rules: readonly (readonly [RegExp, string])[], word: string): string {
  const rule = rules.find(([pattern]) => pattern.test(word))
  return rule === undefined ? word : word.replace(rule[0], rule[1])
}

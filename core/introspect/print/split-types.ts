import type { AuthoredType } from '../../schema/authored.ts'

/** Most types of a file. */
const MOST = 24

/** The types that are printed to one file. */
export interface TypeGroup {
  /** Name of the file without its extension: `sales`, `a-d`, `sales-a-d`. */
  readonly name: string
  readonly types: readonly AuthoredType[]
}

/**
 * Divides the types of a large schema into files: by the database schemas of their tables, and large groups by first
 * letters. Types keep their order.
 */
export function splitTypes(types: readonly AuthoredType[]): readonly TypeGroup[] {
  const schemas = runsOf(types, (type, previous) => (isDotted(type) ? (previous ?? schemaOf(type)) : schemaOf(type)))
  const hasSeveral = schemas.length > 1
  const names = new Set<string>(['values', 'interfaces', 'unions', 'inputs'])
  const unique = (wanted: string): string => {
    let name = wanted
    for (let number = 2; names.has(name); number += 1) name = `${wanted}-${number}`
    names.add(name)
    return name
  }
  return schemas.flatMap((schema) => {
    const owner = hasSeveral ? (fileName(schemaOf(schema[0]!)) ?? 'main') : null
    if (owner !== null && schema.length <= MOST) return [{ name: unique(owner), types: schema }]
    return chunksOf(schema).map((chunk) => ({
      name: unique(owner === null ? lettersOf(chunk) : `${owner}-${lettersOf(chunk)}`),
      types: chunk,
    }))
  })
}

/** Joins the types of neighbouring letters while a file has room. */
function chunksOf(types: readonly AuthoredType[]): readonly (readonly AuthoredType[])[] {
  const chunks: AuthoredType[][] = []
  for (const run of runsOf(types, letterOf).flatMap(slicesOf)) {
    const last = chunks.at(-1)
    if (last !== undefined && last.length + run.length <= MOST) last.push(...run)
    else chunks.push([...run])
  }
  return chunks
}

/** Divides a list into parts of the most types of a file. */
function slicesOf(types: readonly AuthoredType[]): readonly (readonly AuthoredType[])[] {
  return Array.from({ length: Math.ceil(types.length / MOST) }, (_, i) => types.slice(i * MOST, (i + 1) * MOST))
}

/** Divides a list where the key changes. */
function runsOf<T>(
  items: readonly T[],
  keyOf: (item: T, previous: string | undefined) => string,
): readonly (readonly T[])[] {
  const runs: T[][] = []
  let previous: string | undefined
  for (const item of items) {
    const key = keyOf(item, previous)
    if (key === previous) runs.at(-1)!.push(item)
    else runs.push([item])
    previous = key
  }
  return runs
}

/** A source with a dot in its own name has its schema in front, also where the search path finds it. */
function isDotted({ sql_source: source = '' }: AuthoredType): boolean {
  return source.split('.').length > 2
}

function schemaOf({ sql_source: source = '' }: AuthoredType): string {
  const dot = source.indexOf('.')
  return dot < 0 ? '' : source.slice(0, dot)
}

function letterOf({ name }: AuthoredType): string {
  return name.slice(0, 1).toLowerCase()
}

function lettersOf(types: readonly AuthoredType[]): string {
  const letters = types.map(letterOf).filter((letter) => letter !== '_')
  const [first, last] = [letters[0] ?? 'other', letters.at(-1) ?? 'other']
  return first === last ? first : `${first}-${last}`
}

function fileName(schema: string): string | null {
  const name = schema
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return name === '' ? null : name
}

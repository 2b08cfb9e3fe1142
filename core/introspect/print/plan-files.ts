import type { AuthoredSchema } from '../../schema/authored.ts'
import { splitTypes, type TypeGroup } from './split-types.ts'
import { unprintable } from './unprintable.ts'

/** A module of a printed schema: path and source. */
export interface PrintedFile {
  /** Path relative to the folder of the schema: `schema.ts`, `schema/a-d.ts`. */
  readonly path: string
  readonly text: string
}

export interface PrintOptions {
  /** `true`: prints several files. Default: only if there are more than 30 types. */
  readonly split?: boolean
}

/** Division of a schema into files. */
export interface FilePlan {
  readonly isSplit: boolean
  /** Types by file. Empty if there is one file. */
  readonly groups: readonly TypeGroup[]
  /** Returns the path of the file that declares an element of a collection of schema.json. */
  readonly fileOf: (collection: string, name: string) => string
}

const MOST_TYPES = 30

/** Collections of a schema by the file that has them when the types are split. */
const FILES = {
  enums: 'values',
  custom_scalars: 'values',
  interfaces: 'interfaces',
  unions: 'unions',
  input_types: 'inputs',
}

/**
 * Plans the files of a schema that is printed.
 * @param split `undefined`: only if there are more than 30 types
 * @param pathOf returns the path of a file by its name without ending; `null`: the file that the schema begins with
 * @throws SvcError SVC_USAGE: the schema has a part that cannot be printed, such as a function of the author
 */
export function planFiles(
  schema: AuthoredSchema,
  split: boolean | undefined,
  pathOf: (name: string | null) => string,
): FilePlan {
  refuseFunctions(schema)
  const types = schema.types ?? []
  const isSplit = split ?? types.length > MOST_TYPES
  const groups = isSplit ? splitTypes(types) : []
  const groupOf = new Map(groups.flatMap(({ name, types: own }) => own.map((type) => [type.name, name] as const)))
  const fileOf = (collection: string, name: string): string => {
    if (!isSplit) return pathOf(null)
    return pathOf((collection === 'types' ? groupOf.get(name) : FILES[collection as keyof typeof FILES]) ?? null)
  }
  return { isSplit, groups, fileOf }
}

function refuseFunctions({ author_functions: functions = [], modules = [] }: AuthoredSchema): void {
  const [first] = functions
  if (first !== undefined) throw unprintable(`The ${first.kind} ${first.name}`, 'it is a function of the author')
  if (modules.length > 0) throw unprintable('The schema', `it has a module of the author, ${modules[0]!.path}`)
}

const COLLECTIONS: ReadonlySet<string> = new Set([
  ...'$schema version types enums interfaces unions input_types custom_scalars queries mutations'.split(' '),
  ...'subscriptions observers hierarchies modules author_functions'.split(' '),
])

/** Returns the keys at the top of a schema that no element declares: defaults of queries first, then keys of plugins. */
export function topLevelKeys(schema: AuthoredSchema): Readonly<Record<string, unknown>> {
  const { query_defaults: defaults, ...rest } = schema
  const others = Object.entries(rest).filter(([key]) => !COLLECTIONS.has(key))
  return { ...(defaults === undefined ? {} : { query_defaults: defaults }), ...Object.fromEntries(others) }
}

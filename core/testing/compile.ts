import { PRESETS } from '../../presets/index.ts'
import { type CompileResult, compileSchema } from '../compiler/compile.ts'
import type { CompilePart } from '../compiler/compile-part.ts'
import type { CheckedKeys } from '../compiler/ground/key-check.ts'
import type { KeyFacts } from '../compiler/ground/key-facts.ts'
import { ownedKeysOf } from '../config/owned-keys.ts'
import { entriesOf } from '../config/plugin-catalog.ts'
import type { Catalog } from '../contract/database.ts'
import type { AuthoredSchema } from '../schema/authored.ts'
import { linkSchema } from '../schema/link/link.ts'
import type { AuthorFunction, SchemaModel } from '../schema/model.ts'

export interface TestCompileOptions<Options> {
  /** Name of the plugin that the compile part belongs to. Default `test`. */
  readonly plugin?: string
  readonly options?: Options
  /** Description of the database's views, tables and functions. Default: the schema is compiled without a database. */
  readonly catalog?: Catalog
  /** Functions that the schema's author wrote, as svc loads them with the compiled schema. Default: none. */
  readonly functions?: readonly AuthorFunction[]
}

export interface TestCompiled extends Pick<CompileResult, 'compiled' | 'faults' | 'warnings'> {
  /**
   * The compiled schema in the form that plugins receive; `null` when there are faults. Pass it to `testPlugin(plugin,
   * { schema })`.
   */
  readonly schema: SchemaModel | null
}

const ENTRIES = PRESETS.flatMap(entriesOf)
const OWNED: readonly CheckedKeys[] = await Promise.all(
  ownedKeysOf(ENTRIES.map(({ manifest }) => manifest)).map(async (keys) => {
    const { plugin, facts } = keys
    if (facts === undefined) return keys
    const entry = ENTRIES.find(({ manifest }) => manifest.name === plugin)
    return { ...keys, keyFacts: (await entry?.modules?.[facts]?.())?.default as KeyFacts }
  }),
)

/**
 * Compiles a schema in a test, with the compile part of one plugin. The schema may use the keys of all plugins of svc,
 * but their compile parts do not run.
 * @param part compile part under test, made by `defineCompilePart`
 */
export function testCompile<Options>(
  part: CompilePart<Options>,
  authored: AuthoredSchema,
  { plugin = 'test', options, catalog, functions = [] }: TestCompileOptions<Options> = {},
): TestCompiled {
  const parts = [{ plugin, part: part as CompilePart<never>, options }]
  const { compiled, faults, warnings } = compileSchema(authored, { catalog: catalog ?? null, owned: OWNED, parts })
  const schema = compiled === null ? null : linkSchema(compiled, { authorFunctions: functions })
  return { compiled, faults, warnings, schema }
}

import type { Catalog } from '../contract/database.ts'
import { OPERATORS } from '../plan/conditions/operators.ts'
import type { AuthoredSchema, AutoParamFlags } from '../schema/authored.ts'
import type { CompiledSchema } from '../schema/compiled.ts'
import { linkSchema } from '../schema/link.ts'
import { checkAggregates } from './checks/aggregates.ts'
import { checkCursorTypes } from './checks/cursor-types.ts'
import { checkFilterOperators } from './checks/filter-operators.ts'
import { checkFullText } from './checks/full-text.ts'
import { checkRuledCopies } from './checks/ruled-copies.ts'
import { runChecks } from './checks/run-checks.ts'
import { collectWarnings } from './checks/warnings.ts'
import { checkWrites } from './checks/writes.ts'
import type { EnabledPart } from './compile-part.ts'
import type { CompileContext } from './context.ts'
import { copySchema } from './copy-schema.ts'
import { type CompileCounts, countElements } from './counts.ts'
import { sealSchema } from './emit.ts'
import { ALL_ON } from './passes/auto-params.ts'
import { compileMutation } from './passes/compile-mutation.ts'
import { compileQuery } from './passes/compile-query.ts'
import { compileSubscription } from './passes/compile-subscription.ts'
import { compileInputs, compileInterfaces, compileTypes, compileUnions, withoutPlaces } from './passes/compile-types.ts'
import { normaliseSchema } from './passes/normalise.ts'
import { requiredPlugins } from './passes/requires.ts'
import { resolveTypeSources } from './passes/resolve-sources.ts'
import { type Fault, inSourceOrder, Report, type Warning } from './report.ts'
import { compileRules } from './rules/compile-rules.ts'
import type { ConfigRules } from './rules/config-rules.ts'
import { compileScalarRules, compileScalars } from './rules/scalar-rules.ts'
import { checkParts, extendSchema, type PartsResult, runParts } from './run-parts.ts'
import { indexTypes } from './type-index.ts'
import { validateShape } from './validate-shape.ts'

/** What a compile has to know of a dialect: `Dialect` has it. */
export interface DialectFacts {
  readonly name: string
  readonly operators: ReadonlySet<string>
  /** Types of columns that a connection can page by. Absent: all that have an order. */
  readonly cursorTypes?: ReadonlySet<string> | undefined
  /** Can the database tell what a function gives, when the catalog does not? Absent: it can. */
  readonly describeCall?: object | null | undefined
}

export interface CompileOptions {
  /** What the database has, read for `catalogNames(authored)`. `null`: compile without it, with fewer checks. */
  readonly catalog: Catalog | null
  /** What the database speaks. Absent: PostgreSQL. */
  readonly dialect?: DialectFacts | undefined
  /** `[query_defaults]` of svc.toml. What is not given is on. */
  readonly queryDefaults?: Partial<AutoParamFlags> | undefined
  /** `[svc.validation]` of svc.toml: rules for inputs, their fields and arguments of mutations. */
  readonly validation?: ConfigRules | undefined
  /** The compile parts of the enabled plugins. */
  readonly parts?: readonly EnabledPart[]
}

export interface CompileResult {
  /** `null` when there are faults. */
  readonly compiled: CompiledSchema | null
  /** All of them, in the order of the source. */
  readonly faults: readonly Fault[]
  readonly warnings: readonly Warning[]
  /** What the schema holds, for the report. */
  readonly report: CompileCounts
}

/**
 * Compiles an authored schema into the artifact: brings it into one form, checks it, resolves names, sources, access
 * paths, relations and calls. Pure: the same schema and catalog give the same artifact, byte for byte.
 * @throws SvcError SVC_PLUGIN_INVALID when a plugin's compile part cannot be used
 */
export function compileSchema(authored: AuthoredSchema, options: CompileOptions): CompileResult {
  const report = new Report()
  const { parts = [] } = options
  const schema = normaliseSchema(extendSchema(copySchema(authored), parts), report)
  const finish = (compiled: CompiledSchema | null): CompileResult => ({
    compiled: report.faults.length > 0 ? null : compiled,
    faults: inSourceOrder(report.faults),
    warnings: inSourceOrder(report.warnings),
    report: countElements(schema, compiled),
  })
  if (schema === null || !validateShape(schema, report, parts)) return finish(null)
  const context: CompileContext = {
    schema,
    index: indexTypes(schema),
    catalog: options.catalog,
    queryDefaults: { ...ALL_ON, ...definedOnly(options.queryDefaults), ...schema.query_defaults },
    report,
    sources: new Map(),
    functions: new Map(),
    typeSources: new Map(),
    rules: new Map(),
  }
  resolveTypeSources(context)
  compileScalarRules(context)
  runChecks(context)
  checkFullText(context, options.dialect)
  compileRules(context, options.validation)
  collectWarnings(context)
  const compiled = compileElements(context, runParts(context, parts), options.dialect)
  if (report.faults.length > 0) return finish(null)
  const model = linkSchema(compiled)
  checkFilterOperators(context, compiled, model)
  checkRuledCopies(context, model)
  checkAggregates(context, model)
  const { cursorTypes } = options.dialect ?? {}
  if (cursorTypes !== undefined) checkCursorTypes(context, model, options.dialect?.name ?? '', cursorTypes)
  if (options.dialect?.describeCall === null) checkWrites(context, model, options.dialect.name)
  checkParts(context, parts, model)
  return finish(compiled)
}

function compileElements(
  context: CompileContext,
  { plugins, requires }: PartsResult,
  dialect: DialectFacts | undefined,
): CompiledSchema {
  const { schema } = context
  const queries = (schema.queries ?? []).map((query) => compileQuery(context, query))
  const mutations = (schema.mutations ?? []).map((mutation) => compileMutation(context, mutation))
  return sealSchema({
    version: schema.version ?? '1',
    requires: [...new Set([...requiredPlugins(schema), ...requires])].sort(),
    catalog: context.catalog !== null,
    ...dialectOf(dialect),
    types: compileTypes(context),
    enums: withoutPlaces(context, 'enums'),
    interfaces: compileInterfaces(context),
    unions: compileUnions(context),
    input_types: compileInputs(context),
    custom_scalars: compileScalars(context),
    queries: queries.filter((query) => query !== null),
    mutations: mutations.filter((mutation) => mutation !== null),
    subscriptions: (schema.subscriptions ?? []).map((subscription) => compileSubscription(context, subscription)),
    observers: withoutPlaces(context, 'observers'),
    modules: schema.modules ?? [],
    ...(schema.author_functions === undefined
      ? {}
      : { author_functions: withoutPlaces(context, 'author_functions') ?? [] }),
    ...(Object.keys(plugins).length === 0 ? {} : { plugins }),
    sources: Object.fromEntries(context.sources),
    functions: Object.fromEntries(context.functions),
  })
}

/** What the artifact says of the dialect. */
function dialectOf(dialect: DialectFacts | undefined): Pick<CompiledSchema, 'dialect' | 'lacking_operators'> {
  if (dialect === undefined) return {}
  const lacking = OPERATORS.filter(({ id }) => !dialect.operators.has(id)).map(({ id }) => id)
  return { dialect: dialect.name, ...(lacking.length === 0 ? {} : { lacking_operators: lacking }) }
}

function definedOnly(flags: Partial<AutoParamFlags> | undefined): Partial<AutoParamFlags> {
  return Object.fromEntries(Object.entries(flags ?? {}).filter(([, value]) => value !== undefined))
}

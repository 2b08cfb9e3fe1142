import { inDatabase } from '../base/util/database-name.ts'
import type { Catalog } from '../contract/database.ts'
import type { AuthoredSchema, AutoParamFlags } from '../schema/authored.ts'
import type { CompiledSchema } from '../schema/compiled.ts'
import { linkSchema } from '../schema/link/link.ts'
import { OPERATORS, type Operator } from '../schema/operators/operators.ts'
import { namedTypeOf, parseTypeRef } from '../schema/type-ref.ts'
import { checkAggregates } from './checks/aggregates.ts'
import { checkBypassedPolicies } from './checks/bypassed-policies.ts'
import { checkCursorTypes } from './checks/cursor-types.ts'
import { checkFilterOperators } from './checks/filter-operators.ts'
import { checkFullText } from './checks/full-text.ts'
import { checkHierarchies, compileHierarchies } from './checks/hierarchies.ts'
import { checkPlaces } from './checks/places.ts'
import { checkRuledCopies } from './checks/ruled-copies.ts'
import { runChecks } from './checks/run-checks.ts'
import { checkVectors } from './checks/vectors.ts'
import { collectWarnings } from './checks/warnings.ts'
import { checkReadOnly, checkWrites } from './checks/writes.ts'
import type { EnabledPart } from './compile-part.ts'
import { copySchema } from './copy-schema.ts'
import { type CompileCounts, countElements } from './counts.ts'
import { sealSchema } from './emit.ts'
import type { CompileContext, CompiledDatabase } from './ground/context.ts'
import type { DialectFacts } from './ground/dialect-facts.ts'
import type { CheckedKeys } from './ground/key-check.ts'
import { joinKeyFacts } from './ground/key-facts.ts'
import { type Fault, inSourceOrder, Report, type Warning } from './ground/report.ts'
import { indexTypes, type NamedElement } from './ground/type-index.ts'
import { ALL_ON } from './passes/auto-params.ts'
import { compileMutation } from './passes/compile-mutation.ts'
import { compileQuery } from './passes/compile-query.ts'
import { compileSubscription } from './passes/compile-subscription.ts'
import { compileInputs, compileInterfaces, compileTypes, compileUnions, withoutPlaces } from './passes/compile-types.ts'
import { normaliseSchema } from './passes/normalise.ts'
import { placeInDatabases } from './passes/place-in-databases.ts'
import { requiredPlugins } from './passes/requires.ts'
import { resolveTypeSources } from './passes/resolve-sources.ts'
import { compileRules } from './rules/compile-rules.ts'
import type { ConfigRules } from './rules/config-rules.ts'
import { compileScalarRules, compileScalars } from './rules/scalar-rules.ts'
import { checkParts, extendSchema, type PartsResult, runParts } from './run-parts.ts'
import { validateShape } from './validate-shape.ts'

export interface CompileOptions {
  /**
   * What the database catalog says about the names in `catalogNames(authored)`. `null`: compiles without a database,
   * with fewer checks.
   */
  readonly catalog: Catalog | null
  /** Properties of the SQL dialect of the default database. Absent: PostgreSQL. */
  readonly dialect?: DialectFacts | undefined
  /**
   * Properties of the databases in `[databases]` of svc.toml, by name. `catalog` includes their objects, with names
   * such as `crm:v_customer`.
   */
  readonly databases?: ReadonlyMap<string, CompiledDatabase> | undefined
  /** Defaults for the arguments of list queries, from `[query_defaults]` in svc.toml. An absent flag is `true`. */
  readonly queryDefaults?: Partial<AutoParamFlags> | undefined
  /** Validation rules in `[svc.validation]` of svc.toml, in addition to those in the schema. */
  readonly validation?: ConfigRules | undefined
  /** Keys of `schema.json` that plugins define, whether or not the plugins are enabled. */
  readonly owned: readonly CheckedKeys[]
  /** Compile parts of the enabled plugins, which add schema keys and checks. */
  readonly parts?: readonly EnabledPart[]
}

export interface CompileResult {
  /** The compiled schema (artifact); `null`: the authored schema has faults. */
  readonly compiled: CompiledSchema | null
  /** All errors found in the schema, sorted by source location. */
  readonly faults: readonly Fault[]
  readonly warnings: readonly Warning[]
  /** Number of types, queries and so on in the schema, for the output of `svc compile`. */
  readonly report: CompileCounts
}

/**
 * Compiles an authored schema to the form that the service loads: normalizes and checks it, and resolves names, views
 * and tables, columns, relations and function calls. It has no side effects: the same schema and catalog give the same
 * result, byte for byte.
 * @throws SvcError SVC_PLUGIN_INVALID when a plugin's compile part cannot be used
 */
export function compileSchema(authored: AuthoredSchema, options: CompileOptions): CompileResult {
  const report = new Report()
  const { parts = [] } = options
  const schema = normaliseSchema(extendSchema(copySchema(authored), parts), report, options.owned)
  placeInDatabases(schema as Readonly<Record<string, unknown>> | null, options.owned)
  const finish = (compiled: CompiledSchema | null): CompileResult => ({
    compiled: report.faults.length > 0 ? null : compiled,
    faults: inSourceOrder(report.faults),
    warnings: inSourceOrder(report.warnings),
    report: countElements(schema, compiled),
  })
  if (schema === null || !validateShape(schema, report, options.owned, parts)) return finish(null)
  const context: CompileContext = {
    schema,
    index: indexTypes(schema),
    databases: options.databases ?? new Map(),
    catalog: options.catalog,
    queryDefaults: { ...ALL_ON, ...definedOnly(options.queryDefaults), ...schema.query_defaults },
    facts: joinKeyFacts(schema, options.owned),
    report,
    sources: new Map(),
    functions: new Map(),
    typeSources: new Map(),
    rules: new Map(),
  }
  resolveTypeSources(context)
  compileScalarRules(context)
  runChecks(context, options.owned)
  for (const [database, dialect] of dialectsOf(options)) {
    checkFullText(context, dialect, database)
    if (dialect?.readOnly === true) checkReadOnly(context, dialect.name, database)
  }
  compileRules(context, options.validation)
  collectWarnings(context)
  const compiled = compileElements(context, runParts(context, parts), options)
  checkBypassedPolicies(context)
  if (report.faults.length > 0) return finish(null)
  const model = linkSchema(compiled)
  checkFilterOperators(context, compiled, model)
  checkVectors(context, model)
  checkPlaces(context, model)
  checkHierarchies(context, model)
  checkRuledCopies(context, model)
  checkAggregates(context, model)
  for (const [database, dialect] of dialectsOf(options)) {
    const { name, cursorTypes, describeCall } = dialect ?? {}
    if (cursorTypes !== undefined) checkCursorTypes(context, model, name ?? '', cursorTypes, database)
    if (describeCall === null) checkWrites(context, model, name ?? '', database)
  }
  checkParts(context, parts, model)
  return finish(compiled)
}

function compileElements(
  context: CompileContext,
  { plugins, requires }: PartsResult,
  options: CompileOptions,
): CompiledSchema {
  const { schema } = context
  const queries = (schema.queries ?? []).map((query) => compileQuery(context, query))
  const mutations = (schema.mutations ?? []).map((mutation) => compileMutation(context, mutation))
  return sealSchema({
    version: schema.version ?? '1',
    requires: [...new Set([...requiredPlugins(schema, options.owned), ...requires])].sort(),
    catalog: context.catalog !== null,
    ...dialectOf(context, options),
    ...databasesOf(context, options),
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
    ...(schema.hierarchies === undefined ? {} : { hierarchies: compileHierarchies(context) }),
    ...(Object.keys(plugins).length === 0 ? {} : { plugins }),
    sources: Object.fromEntries(context.sources),
    functions: Object.fromEntries(context.functions),
  })
}

/** Returns the dialects of all databases, with their names; the name of the default one is `undefined`. */
function dialectsOf({
  dialect,
  databases,
}: CompileOptions): readonly (readonly [string | undefined, DialectFacts | undefined])[] {
  const others = [...(databases ?? [])].map(([name, other]) => [name, other.dialect] as const)
  return [[undefined, dialect], ...others]
}

/**
 * Creates the keys of the artifact about dialects. An operator is offered only when all databases have it, because all
 * of them share the same filter inputs.
 */
function dialectOf(
  context: CompileContext,
  options: CompileOptions,
): Pick<CompiledSchema, 'dialect' | 'lacking_operators'> {
  const known = dialectsOf(options).flatMap(([, dialect]) => (dialect === undefined ? [] : [dialect]))
  const lacking = OPERATORS.filter(
    (operator) => known.some(({ operators }) => !operators.has(operator.id)) || lacksExtension(context, operator),
  ).map(({ id }) => id)
  return {
    ...(options.dialect === undefined ? {} : { dialect: options.dialect.name }),
    ...(lacking.length === 0 ? {} : { lacking_operators: lacking }),
  }
}

/** Does a field have the operator while its database lacks the extension that provides it? */
function lacksExtension({ schema, index, catalog }: CompileContext, { extension, scalars }: Operator): boolean {
  if (extension === null) return false
  const scalarOf = (type: string): NamedElement | undefined => {
    const ref = parseTypeRef(type)
    return ref === null ? undefined : index.get(namedTypeOf(ref).name)
  }
  return (schema.types ?? []).some(({ name, database, fields }) => {
    const holds = fields.some(({ type }) => {
      const named = scalarOf(type)
      return named?.kind === 'scalar' && scalars.includes(named.base.name)
    })
    if (!holds) return false
    const queries = (schema.queries ?? []).filter(({ type }) => scalarOf(type)?.name === name)
    const databases = new Set([database, ...queries.map((query) => query.database)])
    return [...databases].some((one) => catalog?.extensions?.includes(inDatabase(one, extension)) !== true)
  })
}

/** Creates the key `databases` of the artifact: the databases of its sources and functions. */
function databasesOf(context: CompileContext, { databases }: CompileOptions): Pick<CompiledSchema, 'databases'> {
  const used = new Set([...context.sources.values(), ...context.functions.values()].map(({ database }) => database))
  const entries = [...(databases ?? [])].filter(([name]) => used.has(name))
  if (entries.length === 0) return {}
  return {
    databases: Object.fromEntries(
      entries.map(([name, { dialect }]) => [name, { dialect: dialect?.name ?? 'postgres' }]),
    ),
  }
}

function definedOnly(flags: Partial<AutoParamFlags> | undefined): Partial<AutoParamFlags> {
  return Object.fromEntries(Object.entries(flags ?? {}).filter(([, value]) => value !== undefined))
}

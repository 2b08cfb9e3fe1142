import { type FragmentDefinitionNode, Kind, type OperationDefinitionNode, visit } from 'graphql'
import { type Operation, type OperationTemplate, SvcError } from '../../../core/doors/plugin.ts'
import type { SchemaView } from '../schema/graphql-schema.ts'
import type { CompiledVariable } from '../selection/compiled-variable.ts'
import { type DerivedVariable, SelectionContext } from '../selection/selection-context.ts'
import { buildRoots } from './build-roots.ts'
import { compileVariables, readVariables } from './compile-variables.ts'
import { DocumentErrors } from './document-errors.ts'
import { type Introspection, prepareIntrospection } from './introspect.ts'
import { sampleVariables } from './sample-variables.ts'

/**
 * An operation of a GraphQL document, prepared for requests. Its selection is converted once per combination of `@skip`
 * and `@include` values.
 */
export interface PreparedOperation {
  readonly kind: 'query' | 'mutation' | 'subscription'
  /**
   * Combines the prepared operation with the variables of a request.
   * @throws DocumentErrors or SvcError: BAD_USER_INPUT for variables; VALIDATION_ERROR for a selection that cannot be
   * run
   */
  toOperation(variables: Readonly<Record<string, unknown>> | null): Operation
  /**
   * Returns the operation with sample variables, so that plans can be made before the first request.
   * @throws errors of {@link PreparedOperation.toOperation} that do not depend on the variables
   */
  samples(): readonly SampleOperation[]
}

export interface SampleOperation {
  readonly operation: Operation
  /** `true` if variables have invented values, so that an error does not prove that requests would fail. */
  readonly isMadeUp: boolean
}

export interface OperationParts {
  readonly view: SchemaView
  readonly operation: OperationDefinitionNode
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Names of the variables that the operations of the document declare. */
  readonly known: ReadonlySet<string>
  readonly maxFields: number
  /** Reports growth of the memory in bytes that the operation and its plans use. Negative after an eviction. */
  readonly onGrow: (bytes: number) => void
}

/** Maximum number of cached combinations of `@skip` and `@include` per operation. */
const MAX_TEMPLATES = 64
/** Memory of a selected field in the template, measured after a full garbage collection. */
const BYTES_PER_FIELD = 300
const BYTES_PER_FAILURE = 2000
const NO_VARIABLES: Readonly<Record<string, unknown>> = Object.freeze({})

interface Built {
  readonly template: OperationTemplate
  readonly derived: readonly DerivedVariable[]
  /** Introspection that depends on variables. */
  readonly introspection: Introspection | null
}

export function prepareOperation(parts: OperationParts): PreparedOperation {
  const { operation, view, known } = parts
  const variables = compileVariables(operation, view)
  const conditions = conditionsOf(operation, parts.fragments, variables)
  const templates = new Map<string, Built | { readonly failure: unknown }>()

  function pick(values: Readonly<Record<string, unknown>>): Built {
    let assignment = ''
    for (const name of conditions) assignment += values[name] === true ? '1' : '0'
    let built = templates.get(assignment)
    if (built === undefined) {
      built = tryBuild(values)
      templates.set(assignment, built)
      if (templates.size > MAX_TEMPLATES) templates.delete(templates.keys().next().value as string)
      parts.onGrow('failure' in built ? BYTES_PER_FAILURE : weigh(built))
    }
    if ('failure' in built) throw built.failure
    return built
  }

  /** Builds a template. A failure is cached too, so that a repeat costs nothing. */
  function tryBuild(values: Readonly<Record<string, unknown>>): Built | { readonly failure: unknown } {
    try {
      return build(parts, variables, values)
    } catch (failure) {
      return { failure }
    }
  }

  function bring(values: Record<string, unknown>): Operation {
    const { template, derived, introspection } = pick(values)
    for (const each of derived) derive(each, values)
    if (introspection === null) return { template, variables: values }
    // The operation belongs to this request only, so its plans are not cached.
    const own = { ...withLiterals(template, introspection.run(values)), onPlanned: undefined }
    return { template: own, variables: values }
  }

  return {
    kind: operation.operation,
    toOperation: (given) => bring(readVariables(variables, given ?? NO_VARIABLES, known)),
    samples: () =>
      sampleVariables(variables, conditions, view).map(({ values, isMadeUp }) => ({
        operation: bring({ ...values }),
        isMadeUp,
      })),
  }
}

function build(
  parts: OperationParts,
  variables: readonly CompiledVariable[],
  conditions: Readonly<Record<string, unknown>>,
): Built {
  const { operation, view, fragments, maxFields } = parts
  const context = new SelectionContext({
    view,
    fragments,
    operation,
    conditions,
    maxFields,
    onPlanned: parts.onGrow,
    variables: new Map(variables.map((variable) => [variable.name, variable])),
  })
  const { roots, introspection: fields } = buildRoots(context)
  const template: OperationTemplate = {
    kind: operation.operation,
    name: operation.name?.value ?? null,
    roots,
    variables: [
      ...variables.map(({ name, type, default: byDefault }) => ({ name, type, default: byDefault })),
      ...context.derived.map(({ name, type, default: byDefault }) => ({ name, type, default: byDefault })),
    ],
    ...(roots.some((root) => root.kind === 'literal' && root.call !== undefined) ? { hasCalls: true as const } : {}),
    onPlanned: parts.onGrow,
  }
  if (fields.size === 0) return { template, derived: context.derived, introspection: null }
  const introspection = prepareIntrospection(view, operation, fragments, fields)
  if (introspection.usesVariables) return { template, derived: context.derived, introspection }
  return { template: withLiterals(template, introspection.run({})), derived: context.derived, introspection: null }
}

function withLiterals(template: OperationTemplate, literals: ReadonlyMap<string, string>): OperationTemplate {
  return {
    ...template,
    roots: template.roots.map((root) =>
      root.kind === 'literal' ? { ...root, json: literals.get(root.responseKey) ?? root.json } : root,
    ),
  }
}

/** Sets the value of a derived variable. */
function derive(use: DerivedVariable, values: Record<string, unknown>): void {
  const value = values[use.source]
  if (value === null && use.refuseNull !== null) {
    throw new DocumentErrors([
      new SvcError('BAD_USER_INPUT', use.refuseNull, {
        details: { path: [use.source] },
        locations: use.location === null ? undefined : [use.location],
      }),
    ])
  }
  if (value !== undefined) values[use.name] = value
  else if (use.default !== undefined) values[use.name] = use.default
}

const NO_CONDITIONS: readonly string[] = []

/** Returns the names of the variables in `@skip` and `@include`, which are Boolean. */
function conditionsOf(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: readonly CompiledVariable[],
): readonly string[] {
  const flags = variables.filter(({ type }) => type.kind === 'named' && type.name === 'Boolean')
  if (flags.length === 0) return NO_CONDITIONS
  const names = new Set<string>()
  for (const root of [operation, ...fragments.values()]) {
    visit(root, {
      enter(node) {
        if (node.kind !== Kind.DIRECTIVE || (node.name.value !== 'skip' && node.name.value !== 'include')) return
        for (const argument of node.arguments ?? []) {
          if (argument.value.kind === Kind.VARIABLE) names.add(argument.value.name.value)
        }
      },
    })
  }
  return flags.map(({ name }) => name).filter((name) => names.has(name))
}

function weigh({ template }: Built): number {
  let bytes = 0
  for (const root of template.roots) {
    bytes += BYTES_PER_FIELD
    if (root.kind === 'literal') bytes += root.json.length * 2
    if (root.kind === 'aggregate') bytes += countFields(root) * BYTES_PER_FIELD
    if (root.kind === 'operation' || root.kind === 'node') bytes += countFields(root.selection) * BYTES_PER_FIELD
  }
  return bytes
}

/** Counts the objects of a selection. It runs once per template. */
function countFields(value: unknown): number {
  if (value instanceof Map) {
    let sum = 0
    for (const each of value.values()) sum += countFields(each)
    return sum
  }
  if (typeof value !== 'object' || value === null) return 0
  const { fields, selection, members, possible } = value as Record<string, unknown>
  let sum = 1 + countFields(selection) + countFields(possible)
  for (const list of [fields, members]) {
    if (Array.isArray(list)) for (const each of list) sum += countFields(each)
  }
  return sum
}

import type { Exchange } from '../contract/exchange.ts'
import type { Operation, RootSelection } from '../contract/operation.ts'
import { InputErrors, type InputProblem } from '../errors/input-errors.ts'
import { SvcError } from '../errors/svc-error.ts'
import { argumentsOf } from '../plan/arguments-of.ts'
import type { OperationModel, SchemaModel } from '../schema/model.ts'
import { PHASE_COUNT } from './compile-check.ts'
import { type InputRules, InputRulesCompiler, type Path, runPhase } from './input-rules.ts'

/** Roots with arguments of an operation of the schema: an aggregate takes those of its query. */
type OperationRoot = Extract<RootSelection, { readonly kind: 'operation' | 'aggregate' }>

function takesInput(root: RootSelection): root is OperationRoot {
  return (root.kind === 'operation' || root.kind === 'aggregate') && root.operation.hasRules
}

/** More than a client can use, and less than a large answer. */
const MOST_PROBLEMS = 100

/** Does anything that the operation asks for have rules? What has none costs this question. */
export function hasRules({ template }: Operation): boolean {
  for (const root of template.roots) if (takesInput(root)) return true
  return false
}

/**
 * Holds what the client sent to the rules of the schema, of all roots before the first statement runs (spec "Validation
 * rule types"): the errors of the first phase that has any, all of them.
 * @throws InputErrors VALIDATION_ERROR
 * @throws SvcError INTERNAL_SERVER_ERROR when a rule cannot be asked: the operation does not run
 */
export function validateOperation(exchange: Exchange, { template, variables }: Operation): void {
  const { schema } = exchange.generation
  const asked = template.roots
    .filter(takesInput)
    .map((root) => ({ root, rules: rulesFor(schema, root.operation), input: inputOf(root, variables) }))
  for (let phase = 0; phase < PHASE_COUNT; phase++) {
    const problems: InputProblem[] = []
    for (const { root, rules, input } of asked) {
      const goesOn = ask(() =>
        runPhase(rules, phase, input, exchange.auth, [root.responseKey], ({ message, context, below }, at) => {
          const path = [...at, ...below]
          const field = printPlace(path.slice(1)) || root.operation.wireName
          problems.push({
            message,
            context,
            path,
            field,
            locations: root.location === null ? undefined : [root.location],
          })
          return problems.length < MOST_PROBLEMS
        }),
      )
      if (!goesOn) break
    }
    if (problems.length > 0) throw new InputErrors(problems)
  }
}

/** A rule that fails by itself, rather than its value, is a fault of the author's. */
function ask<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    // What an author's validator throws on purpose has its own code.
    if (cause instanceof SvcError) throw cause
    throw new SvcError('INTERNAL_SERVER_ERROR', 'A rule for what clients send has failed. Nothing was run.', { cause })
  }
}

/** With the defaults of arguments that the client left out. */
function inputOf(root: OperationRoot, variables: Operation['variables']): Record<string, unknown> {
  const input: Record<string, unknown> = { ...argumentsOf(root, variables) }
  for (const { wireName, default: value } of root.operation.arguments.values()) {
    if (value !== undefined && !Object.hasOwn(input, wireName)) input[wireName] = value
  }
  return input
}

/** `input.items[0].sku`. */
function printPlace(path: Path): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('')
}

interface Compiled {
  readonly compiler: InputRulesCompiler
  readonly operations: Map<OperationModel, InputRules>
}

const compiled = new WeakMap<SchemaModel, Compiled>()

/** Compiled when the operation is asked for the first time, once per schema. */
function rulesFor(schema: SchemaModel, operation: OperationModel): InputRules {
  let of = compiled.get(schema)
  if (of === undefined) {
    of = { compiler: new InputRulesCompiler(schema), operations: new Map() }
    compiled.set(schema, of)
  }
  let rules = of.operations.get(operation)
  if (rules === undefined) {
    const { compiler } = of
    rules = ask(() => compiler.compile(operation.rules, operation.arguments))
    of.operations.set(operation, rules)
  }
  return rules
}

import { InputErrors, type InputProblem } from '../../base/errors/input-errors.ts'
import { SvcError } from '../../base/errors/svc-error.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { Operation, RootSelection } from '../../contract/operation.ts'
import { PHASE_COUNT } from '../../schema/checks/compile-check.ts'
import type { OperationModel, SchemaModel } from '../../schema/model.ts'
import { argumentsOf } from '../plan/values/arguments-of.ts'
import { type InputRules, InputRulesCompiler, type Path, runPhase } from './input-rules.ts'

/** Root fields with arguments of an operation. An aggregate has those of its query. */
type OperationRoot = Extract<RootSelection, { readonly kind: 'operation' | 'aggregate' }>

function takesInput(root: RootSelection): root is OperationRoot {
  return (root.kind === 'operation' || root.kind === 'aggregate') && root.operation.hasRules
}

/** Limit of errors in one answer. */
const MOST_PROBLEMS = 100

/** Tests whether the schema declares validation rules for the arguments of any root field in an operation. */
export function hasRules({ template }: Operation): boolean {
  for (const root of template.roots) if (takesInput(root)) return true
  return false
}

/**
 * Checks the arguments of all root fields against the validation rules of the schema, before the first statement runs
 * (docs/guides/validate-input.md).
 * @throws InputErrors VALIDATION_ERROR, with up to 100 errors of the first group of rules (see `runPhase`) that finds
 * any
 * @throws SvcError INTERNAL_SERVER_ERROR if a rule itself fails; an `SvcError` of a custom validator is thrown
 * unchanged
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

/** Runs a rule and converts an exception of the rule itself, a fault of the schema's author, into INTERNAL_SERVER_ERROR. */
function ask<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    // A custom validator may throw an SvcError with a code of its own.
    if (cause instanceof SvcError) throw cause
    throw new SvcError('INTERNAL_SERVER_ERROR', 'A rule for what clients send has failed. Nothing was run.', { cause })
  }
}

/** Returns the arguments of a root field, with defaults for omitted ones. */
function inputOf(root: OperationRoot, variables: Operation['variables']): Record<string, unknown> {
  const input: Record<string, unknown> = { ...argumentsOf(root, variables) }
  for (const { wireName, default: value } of root.operation.arguments.values()) {
    if (value !== undefined && !Object.hasOwn(input, wireName)) input[wireName] = value
  }
  return input
}

/** Prints a path: `input.items[0].sku`. */
function printPlace(path: Path): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('')
}

interface Compiled {
  readonly compiler: InputRulesCompiler
  readonly operations: Map<OperationModel, InputRules>
}

const compiled = new WeakMap<SchemaModel, Compiled>()

/** Returns the rules of an operation, which are compiled at its first call, once per schema. */
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

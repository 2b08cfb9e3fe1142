import { SvcError } from '../../../base/errors/svc-error.ts'
import { writeJson } from '../../../base/util/exact-number.ts'
import { lookup } from '../../../base/util/lookup.ts'
import { toSnakeCase } from '../../../base/util/naming.ts'
import type { Auth } from '../../../contract/exchange.ts'
import type { MutationRoot, ValueNode } from '../../../contract/operation.ts'
import type { CallParameter, PlannedCall } from '../../../contract/plan/planned-call.ts'
import type { BindInput } from '../../../contract/slot.ts'
import type { Parameter } from '../../../contract/statement.ts'
import type { CompiledCallParameter } from '../../../schema/compiled.ts'
import type { ArgumentModel, MutationModel } from '../../../schema/model.ts'
import { isJsonParameter, readField, readNode, toJson, toParameter } from './write-values.ts'

/** Reads the value of a parameter. `undefined`: the client omitted it. */
type Read = (input: BindInput) => Parameter | undefined

/**
 * Plans the call of a mutation's function: which arguments and claims its parameters receive.
 * @throws SvcError INTERNAL_SERVER_ERROR if the compiled schema names an argument that the mutation does not have
 */
export function planCall(root: MutationRoot): PlannedCall {
  const { call, namedCall, function: target } = root.operation
  const reads = call.map((parameter) => readOf(parameter, root))
  const optional = call.some((parameter) => parameter.has_default)
  const everything = '1'.repeat(call.length)
  const named = namedCall && call.every((parameter) => parameter.name !== null)
  return {
    function: target,
    named,
    parameters: call.map(({ name, type }, index) => {
      const read = reads[index]!
      return { name, type, slot: { read: (input) => read(input) ?? null } }
    }),
    shapeOf(input) {
      if (!optional) return everything
      const given = call.map((parameter, index) => !parameter.has_default || reads[index]!(input) !== undefined)
      const last = named ? -1 : given.lastIndexOf(true)
      return given.map((value, index) => (value || index < last ? '1' : '0')).join('')
    },
  }
}

/**
 * Returns the function parameters that a request passes; optional ones that the client omitted are left out.
 * @param shape result of `call.shapeOf`: one character per parameter, `1` for a passed one
 */
export function passedBy(call: PlannedCall, shape: string): readonly CallParameter[] {
  return call.parameters.filter((_, index) => shape[index] === '1')
}

function readOf(parameter: CompiledCallParameter, root: MutationRoot): Read {
  const { value } = parameter
  const { operation } = root
  if (value.from === 'inject') {
    const claim = value.source.replace(/^jwt:/, '')
    return (input) => readClaim(input.exchange?.auth ?? null, claim, parameter.type, operation.wireName)
  }
  const [first, ...rest] = value.path
  if (first === undefined) return (input) => allArguments(root, input)
  const model = [...operation.arguments.values()].find((argument) => argument.name === first)
  if (model === undefined) throw unknownPath(operation, value.path)
  let { type, named } = model
  const steps: ((object: unknown) => unknown)[] = []
  for (const name of rest) {
    const input = named
    const field = input.kind === 'input' ? [...input.fields.values()].find((f) => f.name === name) : undefined
    if (input.kind !== 'input' || field === undefined) throw unknownPath(operation, value.path)
    steps.push((object) =>
      object === null || object === undefined ? undefined : readField(object, input, field.wireName),
    )
    type = field.type
    named = field.named
  }
  const node = nodeOf(root, model)
  const json = value.from === 'json' || isJsonParameter(type, named, parameter.type)
  return (input) => {
    let result = readArgument(node, model, input)
    for (const step of steps) result = step(result)
    if (result === undefined || result === null) return result
    return json ? writeJson(toJson(result, type, named)) : toParameter(result, type, named, parameter.type)
  }
}

function nodeOf(root: MutationRoot, model: ArgumentModel): ValueNode | undefined {
  return root.arguments.find((argument) => argument.name === model.wireName)?.value
}

function readArgument(node: ValueNode | undefined, model: ArgumentModel, input: BindInput): unknown {
  const value = node === undefined ? undefined : readNode(node, input.variables)
  return value === undefined ? model.default : value
}

/** Returns all arguments of the client as the JSON text of one object. */
function allArguments(root: MutationRoot, input: BindInput): string {
  const entries: [string, unknown][] = []
  for (const model of root.operation.arguments.values()) {
    const value = readArgument(nodeOf(root, model), model, input)
    if (value !== undefined) entries.push([toSnakeCase(model.name), toJson(value, model.type, model.named)])
  }
  return writeJson(Object.fromEntries(entries))
}

function unknownPath(operation: MutationModel, path: readonly string[]): SvcError {
  return new SvcError(
    'INTERNAL_SERVER_ERROR',
    `The compiled schema of ${operation.wireName} names "${path.join('.')}", which is no argument. Compile it again.`,
  )
}

/**
 * Reads a claim that is injected into a function's parameter. A claim of `null` counts as absent.
 * @param claim name or dotted path of the claim
 * @param sqlType catalog type of the parameter; `null` when the catalog was not read
 * @param mutation wire name, for messages
 * @throws SvcError UNAUTHENTICATED without a credential; FORBIDDEN when the claim is absent
 */
function readClaim(auth: Auth | null, claim: string, sqlType: string | null, mutation: string): Parameter {
  if (auth === null) throw new SvcError('UNAUTHENTICATED', `${mutation} needs a signed-in user.`)
  const value = lookup(auth.claims, claim) ?? (claim === 'sub' ? auth.subject : null)
  if (value === null || value === undefined) {
    throw new SvcError('FORBIDDEN', `${mutation} needs the claim "${claim}", which the credential does not carry.`)
  }
  if (sqlType !== null && /^jsonb?$/.test(sqlType)) return JSON.stringify(value)
  return Array.isArray(value) ? value.map((item) => (item === null ? null : textOf(item))) : textOf(value)
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

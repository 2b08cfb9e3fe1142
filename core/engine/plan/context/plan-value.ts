import type { ArgumentNode, ValueNode } from '../../../contract/operation.ts'

type Variables = Readonly<Record<string, unknown>>

/**
 * A value in the arguments of an operation, as the planner sees it. `sample` is the value in the planned request: the
 * plan may depend on its structure (keys, lengths, null or not), not on its content. `read` returns the value in later
 * requests with the same structure.
 */
export interface PlanValue {
  readonly sample: unknown
  readonly read: (variables: Variables) => unknown
  /** `true`: the document contains the value, so that `sample` is the value in every request. */
  readonly constant: boolean
  readonly node: ValueNode | null
}

export const ABSENT: PlanValue = { sample: undefined, read: () => undefined, constant: true, node: null }

/** Returns the value of an argument by its name; {@link ABSENT} if the client omitted it. */
export function argumentValue(args: readonly ArgumentNode[], name: string, variables: Variables): PlanValue {
  const argument = args.find((candidate) => candidate.name === name)
  return argument === undefined ? ABSENT : valueOfNode(argument.value, variables)
}

export function valueOfNode(node: ValueNode, variables: Variables): PlanValue {
  switch (node.kind) {
    case 'constant':
      return constantValue(node.value)
    case 'variable': {
      const { name } = node
      return { sample: own(variables, name), read: (values) => own(values, name), constant: false, node }
    }
    case 'list': {
      const items = node.items.map((item) => valueOfNode(item, variables))
      return {
        sample: items.map((item) => item.sample ?? null),
        read: (values) => items.map((item) => item.read(values) ?? null),
        constant: items.every((item) => item.constant),
        node,
      }
    }
    case 'object': {
      const entries = node.fields.map((field) => [field.name, valueOfNode(field.value, variables)] as const)
      return {
        sample: objectOf(entries, (value) => value.sample),
        read: (values) => objectOf(entries, (value) => value.read(values)),
        constant: entries.every(([, value]) => value.constant),
        node,
      }
    }
  }
}

function constantValue(value: unknown): PlanValue {
  return { sample: value, read: () => value, constant: true, node: null }
}

/** Reads an object value. A key whose variable is absent is itself absent, as the GraphQL specification requires for input objects. */
function objectOf(
  entries: readonly (readonly [string, PlanValue])[],
  pick: (value: PlanValue) => unknown,
): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const [name, value] of entries) {
    const member = pick(value)
    if (member !== undefined) object[name] = member
  }
  return object
}

/** Returns the members of an object value, without absent ones; `null`: the value is not an object. */
export function entriesOf(value: PlanValue, variables: Variables): readonly (readonly [string, PlanValue])[] | null {
  const { sample, node } = value
  if (typeof sample !== 'object' || sample === null || Array.isArray(sample)) return null
  if (node?.kind === 'object') {
    return node.fields
      .map((field) => [field.name, valueOfNode(field.value, variables)] as const)
      .filter(([, member]) => member.sample !== undefined)
  }
  return Object.entries(sample)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => [name, child(value, name, member)] as const)
}

/** Returns the items of a list value; a single value counts as a list of one (GraphQL list coercion). */
export function itemsOf(value: PlanValue, variables: Variables): readonly PlanValue[] {
  const { sample, node } = value
  if (!Array.isArray(sample)) return [value]
  if (node?.kind === 'list') return node.items.map((item) => valueOfNode(item, variables))
  return sample.map((member, index) => child(value, index, member))
}

function child(parent: PlanValue, key: string | number, sample: unknown): PlanValue {
  const read = parent.constant
    ? () => sample
    : (values: Variables) => (parent.read(values) as Record<string | number, unknown>)[key]
  return { sample, read, constant: parent.constant, node: null }
}

/** Returns the value of a variable; `undefined` if the client omitted it. Inherited properties are no variables. */
export function own(variables: Variables, name: string): unknown {
  return Object.hasOwn(variables, name) ? variables[name] : undefined
}

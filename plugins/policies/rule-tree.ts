import { expressions } from '../../core/doors/front.ts'
import { type PolicyUser, userFact } from './policy-user.ts'

type Compare = Extract<expressions.ExpressionNode, { kind: 'compare' }>
export type Comparison = Compare['operator']
/** Evaluates a part of a rule that does not depend on the row. @param now time in milliseconds since 1970 */
export type UserValue = (user: PolicyUser | null, now: number) => unknown
type UserTest = (user: PolicyUser | null, now: number) => boolean

/** A parsed policy rule: conditions on the caller (`user`) and on the row (`object`), combined by AND, OR and NOT. */
export type RuleTree =
  | { readonly kind: 'and' | 'or'; readonly left: RuleTree; readonly right: RuleTree }
  | { readonly kind: 'not'; readonly of: RuleTree }
  /** Condition on the user; `fails` is its negation. Neither is true if a fact is missing. */
  | { readonly kind: 'user'; readonly holds: UserTest; readonly fails: UserTest }
  /** Comparison of a field of the row with a value; `null`: the literal null. */
  | {
      readonly kind: 'object'
      readonly path: readonly string[]
      readonly at: number
      readonly operator: Comparison
      readonly value: UserValue | null
      readonly call?: ObjectCall
    }

/** A function of a row's field in a rule. `years` is `age(object.born)`, `days` is `age(object.at, user.since)`. */
export type ObjectFunction = 'years' | 'days' | 'length' | 'contains'

/** A function of a row's field in a rule, whose result is compared with a value. */
export interface ObjectCall {
  readonly name: ObjectFunction
  /** Second argument, for `days` and `contains`; absent for other functions. */
  readonly value?: UserValue
}

/** Parses a policy rule such as `object.owner == user.id`. @throws ExpressionFault with the column of the error */
export function parseRule(source: string): RuleTree {
  return readNode(expressions.parse(source))
}

/** Returns the comparisons in a rule that read fields of the row. */
export function objectPaths(tree: RuleTree): readonly Extract<RuleTree, { kind: 'object' }>[] {
  switch (tree.kind) {
    case 'and':
    case 'or':
      return [...objectPaths(tree.left), ...objectPaths(tree.right)]
    case 'not':
      return objectPaths(tree.of)
    case 'user':
      return []
    case 'object':
      return [tree]
  }
}

const SCOPE: expressions.ExpressionScope<PolicyUser | null> = {
  variable: (name, rest) => {
    if (name !== 'user') return null
    const [fact] = rest
    if (fact === undefined) return null
    // The rest of the path is read by keys. An object with only this key prevents access to other properties.
    return (user) => Object.assign(Object.create(null), { [fact]: userFact(user, fact) })
  },
  caller: { has: (name) => name === 'user', absence: 'fails' },
  names: () => ['user.id', 'user.roles', 'user.scopes', 'user.<claim>', 'object.<field>'],
}

const FLIPPED: Readonly<Partial<Record<Comparison, Comparison>>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  '==': '==',
  '!=': '!=',
}

function readNode(node: expressions.ExpressionNode): RuleTree {
  if (!speaksOfObject(node)) return userPart(node)
  switch (node.kind) {
    case 'and':
    case 'or':
      return { kind: node.kind, left: readNode(node.left), right: readNode(node.right) }
    case 'not':
      return { kind: 'not', of: readNode(node.of) }
    case 'path':
      return { kind: 'object', path: objectPath(node), at: node.at, operator: '==', value: () => true }
    case 'compare':
      return readComparison(node)
    case 'call':
      if (node.name === 'contains' && node.receiver === null && node.args.length === 2) {
        const [list, item] = node.args as readonly [expressions.ExpressionNode, expressions.ExpressionNode]
        if (!speaksOfObject(list)) return inList(item, list)
      }
      if (node.name === 'contains') return { ...readField(node), operator: '==', value: () => true }
  }
  throw new expressions.ExpressionFault(
    'this cannot be asked of a row: compare a field of object, its age() or length(), with what is known of the user (==, !=, <, <=, >, >=), look for it in a list of the user’s (in), or for something in it (contains)',
    node.at,
  )
}

function readComparison({ left, right, operator, at }: Compare): RuleTree {
  if (operator === 'in') {
    if (!speaksOfObject(right)) return inList(left, right)
    throw new expressions.ExpressionFault(
      'a list of object cannot be looked into. Compare a field of the row with values of the user',
      at,
    )
  }
  if (speaksOfObject(left) && speaksOfObject(right)) {
    throw new expressions.ExpressionFault('two fields of object cannot be compared with each other', at)
  }
  const [field, value, own] = speaksOfObject(left)
    ? [left, right, operator]
    : [right, left, FLIPPED[operator] ?? operator]
  return { ...readField(field), operator: own, value: comparedValue(value) }
}

/** Parses a field of the row, or a function of it. */
function readField(
  node: expressions.ExpressionNode,
): Pick<Extract<RuleTree, { kind: 'object' }>, 'kind' | 'path' | 'at' | 'call'> {
  const { at } = node
  if (node.kind !== 'call' || !['age', 'length', 'contains'].includes(node.name)) {
    return { kind: 'object', path: objectPath(node), at }
  }
  const own: readonly expressions.ExpressionNode[] =
    node.receiver === null ? [] : [{ kind: 'path', at, names: node.receiver }]
  const [field, other, ...rest] = [...own, ...node.args]
  const most = node.name === 'length' ? 1 : 2
  const least = node.name === 'contains' ? 2 : 1
  const count = [field, other, ...rest].filter((each) => each !== undefined).length
  if (field === undefined || count < least || count > most || (other !== undefined && speaksOfObject(other))) {
    throw new expressions.ExpressionFault(
      `${node.name}() takes a field of object${most === 1 ? '' : ', and beside it what is known of the user'}`,
      at,
    )
  }
  const path = objectPath(field)
  if (other === undefined) return { kind: 'object', path, at, call: { name: node.name === 'age' ? 'years' : 'length' } }
  const name = node.name === 'age' ? 'days' : 'contains'
  return { kind: 'object', path, at, call: { name, value: expressions.compileValue(other, SCOPE) } }
}

function inList(item: expressions.ExpressionNode, list: expressions.ExpressionNode): RuleTree {
  return { kind: 'object', path: objectPath(item), at: item.at, operator: 'in', value: comparedValue(list) }
}

function comparedValue(node: expressions.ExpressionNode): UserValue | null {
  if (node.kind === 'constant' && node.value === null) return null
  return expressions.compileValue(node, SCOPE)
}

function objectPath(node: expressions.ExpressionNode): readonly string[] {
  if (node.kind === 'path' && node.names[0] === 'object' && node.names.length > 1) return node.names.slice(1)
  throw new expressions.ExpressionFault('a field of object stands by itself here, such as object.owner_id', node.at)
}

function userPart(node: expressions.ExpressionNode): RuleTree {
  if (node.kind === 'and' || node.kind === 'or') {
    return { kind: node.kind, left: readNode(node.left), right: readNode(node.right) }
  }
  if (node.kind === 'not') return { kind: 'not', of: readNode(node.of) }
  return {
    kind: 'user',
    holds: expressions.compileTest(node, SCOPE),
    fails: expressions.compileTest(node, SCOPE, true),
  }
}

function speaksOfObject(node: expressions.ExpressionNode): boolean {
  return expressions.pathsOf(node).some(({ names }) => names[0] === 'object')
}

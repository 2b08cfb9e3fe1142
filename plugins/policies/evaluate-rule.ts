import { expressions, fitsField, type InterfaceType } from '../../core/doors/front.ts'
import type { FieldModel, FilterTree, ObjectType } from '../../core/doors/plugin.ts'
import { functionOperators, measured } from './object-functions.ts'
import type { PolicyUser } from './policy-user.ts'
import type { Comparison, ObjectCall, RuleTree } from './rule-tree.ts'

/** Decision of a policy: allowed, denied, or allowed only for rows that match a filter. */
export type Verdict = boolean | FilterTree

/** Returns the fields along a path in a rule: `object.author.id` → the fields `author` and `id`. */
export type FieldOf = (path: readonly string[]) => readonly FieldModel[]

const OPPOSITE: Readonly<Record<Comparison, string>> = {
  '==': '_neq',
  '!=': '_eq',
  '<': '_gte',
  '<=': '_gt',
  '>': '_lte',
  '>=': '_lt',
  in: '_nin',
}
const OPERATORS: Readonly<Record<Comparison, string>> = {
  '==': '_eq',
  '!=': '_neq',
  '<': '_lt',
  '<=': '_lte',
  '>': '_gt',
  '>=': '_gte',
  in: '_in',
}

const REVERSED = { '==': '!=', '!=': '==', '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const

/** Returns the filter operators that a comparison in a rule needs, to check that its field supports them. */
export function operatorsOf(
  { operator, value, call }: Extract<RuleTree, { kind: 'object' }>,
  field: Pick<FieldModel, 'list'>,
): readonly string[] {
  if (call !== undefined) return functionOperators(call.name, field)
  return value === null ? ['_is_null'] : [OPERATORS[operator], OPPOSITE[operator]]
}

/**
 * Evaluates a policy rule for a caller. Conditions on the row become a filter. A comparison with a missing value is
 * never true, even when negated, so a missing value denies access.
 * @param now time in milliseconds since 1970
 * @throws ExpressionFailure or another error, which denies access
 */
export function evaluateRule(tree: RuleTree, user: PolicyUser | null, now: number, fieldOf: FieldOf): Verdict {
  return evaluate(tree, false)

  function evaluate(node: RuleTree, negated: boolean): Verdict {
    switch (node.kind) {
      case 'not':
        return evaluate(node.of, !negated)
      case 'and':
      case 'or':
        return (node.kind === 'and') !== negated
          ? both(evaluate(node.left, negated), () => evaluate(node.right, negated))
          : either(evaluate(node.left, negated), () => evaluate(node.right, negated))
      case 'user':
        return (negated ? node.fails : node.holds)(user, now)
      case 'object': {
        const fields = fieldOf(node.path)
        const wrap = (leaf: FilterTree): FilterTree =>
          fields.reduceRight<FilterTree>((inner, { wireName }) => ({ [wireName]: inner }), leaf)
        if (node.call !== undefined) return compareCall(node, node.call, negated, fields.at(-1), wrap)
        const condition = compare(node, negated, fields.at(-1))
        return typeof condition === 'boolean' ? condition : wrap(condition)
      }
    }
  }

  function compareCall(
    { operator, value }: Extract<RuleTree, { kind: 'object' }>,
    call: ObjectCall,
    negated: boolean,
    field: FieldModel | undefined,
    wrap: (leaf: FilterTree) => FilterTree,
  ): Verdict {
    if (value === null) return wrap({ _is_null: (operator === '==') !== negated })
    const given = value(user, now)
    const beside = call.value?.(user, now)
    if (
      field === undefined ||
      expressions.isAbsent(given) ||
      (call.value !== undefined && expressions.isAbsent(beside))
    )
      return false
    if (call.name === 'contains') {
      const operand = typeof beside === 'string' || field.list ? toOperand(beside, field) : undefined
      if (operand === undefined || typeof given !== 'boolean') return false
      const found = wrap({ _contains: field.list ? [operand] : operand })
      return (given === (operator === '==')) !== negated ? found : { _not: found }
    }
    const number = Number(numberOfAny(given) ?? Number.NaN)
    const since = call.value === undefined ? now : expressions.instantOf(beside)?.ms
    if (Number.isNaN(number) || since === undefined || operator === 'in') return false
    const leaves = measured(call.name, negated ? REVERSED[operator] : operator, number, field, since)
    const [first, ...others] = leaves.map(wrap)
    if (first === undefined) return false
    return others.length === 0 ? first : { _or: [first, ...others] }
  }

  function compare(
    { operator, value }: Extract<RuleTree, { kind: 'object' }>,
    negated: boolean,
    field: FieldModel | undefined,
  ): Verdict {
    if (field === undefined) return false
    if (value === null) return { _is_null: (operator === '==') !== negated }
    const given = value(user, now)
    if (expressions.isAbsent(given)) return false
    const name = (negated ? OPPOSITE : OPERATORS)[operator]
    if (operator !== 'in') {
      const operand = toOperand(given, field)
      return operand === undefined ? false : { [name]: operand }
    }
    if (!Array.isArray(given)) return false
    const operands = given.map((item) => toOperand(item, field)).filter((item) => item !== undefined)
    // Values that do not fit the column are ignored in a list. For a negated list they deny access, because rows would become visible by them.
    if (operands.length < given.length && negated) return false
    return operands.length === 0 ? negated : { [name]: operands }
  }
}

function both(left: Verdict, right: () => Verdict): Verdict {
  if (left === false) return false
  const other = right()
  if (left === true || other === false) return other
  return other === true ? left : { _and: [left, other] }
}

function either(left: Verdict, right: () => Verdict): Verdict {
  if (left === true) return true
  const other = right()
  if (left === false || other === true) return other
  return other === false ? left : { _or: [left, other] }
}

const TEXTS = new Set(['ID', 'String', 'UUID'])
const NUMBER = /^-?\d{1,1000}(?:\.\d{1,1000})?$/
const NUMBERS = new Set(['Int', 'BigInt', 'Float', 'Decimal'])

/** Converts a value to an operand of a filter. @returns `undefined` when no value of the field can equal it */
function toOperand(value: unknown, field: FieldModel): unknown {
  const operand = operandOf(value, field)
  // A claim that is no value of the type of the column equals nothing, and must not reach the database.
  return operand !== undefined && fitsField(field, operand) ? operand : undefined
}

function operandOf(value: unknown, { named }: FieldModel): unknown {
  const base = named.kind === 'scalar' ? named.base : 'String'
  if (value instanceof Date) return base === 'Date' ? value.toISOString().slice(0, 10) : value.toISOString()
  const number = typeof value === 'string' ? null : numberOfAny(value)
  if (TEXTS.has(base)) return number !== null ? number : typeof value === 'string' ? value : undefined
  if (NUMBERS.has(base)) {
    const text = number ?? (typeof value === 'string' && NUMBER.test(value) ? value : undefined)
    return text === undefined ? undefined : base === 'Int' || base === 'Float' ? Number(text) : text
  }
  if (base === 'Boolean') return typeof value === 'boolean' ? value : undefined
  return typeof value === 'string' ? value : undefined
}

function numberOfAny(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'object' && value !== null && typeof (value as expressions.Decimal).digits === 'bigint') {
    return expressions.decimalText(value as expressions.Decimal)
  }
  return null
}

/** Finds a field by its GraphQL name or by its name in `schema.json`. */
export function fieldNamed(type: ObjectType | InterfaceType, name: string): FieldModel | undefined {
  return type.fields.get(name) ?? [...type.fields.values()].find((field) => field.name === name)
}

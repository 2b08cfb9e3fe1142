import { filterOperators } from '../../../core/doors/front.ts'
import type { FieldModel, QueryModel } from '../../../core/doors/plugin.ts'
import { filterTypeName } from '../../../core/schema/operators/operators.ts'
import type { Coverage } from '../coverage.ts'
import type { Random } from '../random.ts'
import type { Member, Quantified, RowType, Test, Where } from '../request.ts'
import { specialOperands } from '../world/specials.ts'
import { makeOperand, type Samples } from './operands.ts'
import type { Target } from './targets.ts'

/** What makes requests. */
export interface Maker {
  readonly random: Random
  readonly coverage: Coverage
  readonly samples: Samples
  /** What is asked for by itself next: everything in turn. `null`: the schema has no lists. */
  readonly nextTarget: () => Target | null
  /** Cursors of a connection. */
  readonly cursors: (query: QueryModel) => readonly string[]
}

const known = new WeakMap<FieldModel, readonly filterOperators.Operator[]>()

/** Operators of a field; of those of single semantic scalars the ones whose cases are written down. */
export function operatorsOf(field: FieldModel): readonly filterOperators.Operator[] {
  let operators = known.get(field)
  if (operators === undefined) {
    operators = filterOperators
      .ofField(field)
      .filter((operator) => operator.scalars.length === 0 || specialOperands(field, operator).length > 0)
    known.set(field, operators)
  }
  return operators
}

/** Name of an operator in the coverage: what it is and where its value stands. */
export function operatorName(field: FieldModel, id: string): string {
  return `operator ${id} on ${kindOf(field)}`
}

/** Type and place of a value. */
export function kindOf({ named, type, read }: FieldModel): string {
  const name = type.kind === 'list' ? `[${named.name}]` : named.name
  return `${name} in a ${read?.from === 'document' ? 'document' : 'column'}`
}

const QUANTIFIERS = ['some', 'every', 'none'] as const

/** A filter on rows of the type. @param depth how much deeper it may go */
export function makeWhere(maker: Maker, type: RowType, depth: number): Where {
  const { random } = maker
  const members: Member[] = []
  const fields = [...type.fields.values()].filter((field) => field.filterable && field.read !== null)
  const leaves = fields.filter((field) => operatorsOf(field).length > 0)
  const objects = fields.filter(({ named }) => named.kind === 'object' || named.kind === 'interface')
  const many = random.pick(depth > 1 ? [0, 1, 1, 1, 2, 3] : [1, 1, 2])
  for (let left = many; left > 0; left--) {
    const kind =
      depth > 0 ? random.pick(['leaf', 'leaf', 'leaf', 'group', 'not', 'object', 'object', 'absent']) : 'leaf'
    const member = makeMember(maker, type, kind, leaves, objects, depth)
    if (member !== null && !members.some((known) => nameOf(known) === nameOf(member))) members.push(member)
  }
  if (members.length === 0) maker.coverage.note('filter {}')
  return { type, members }
}

function makeMember(
  maker: Maker,
  type: RowType,
  kind: string,
  leaves: readonly FieldModel[],
  objects: readonly FieldModel[],
  depth: number,
): Member | null {
  const { random, coverage } = maker
  if (kind === 'group') {
    const joint = random.chance(0.5) ? 'and' : 'or'
    const parts = Array.from({ length: random.pick([0, 1, 2, 2, 3]) }, () => makeWhere(maker, type, depth - 1))
    coverage.note(`filter _${joint} of ${Math.min(parts.length, 2)}`)
    return { kind: joint, parts }
  }
  if (kind === 'not') {
    coverage.note('filter _not')
    return { kind: 'not', part: makeWhere(maker, type, depth - 1) }
  }
  if (kind === 'absent') {
    coverage.note('filter absent')
    return { kind: 'nothing', ...random.pick(inputsOf(type, leaves, objects)) }
  }
  if (kind === 'object' && objects.length > 0) return makeOver(maker, coverage.rarest(random, objects, overName), depth)
  return leaves.length === 0 ? null : makeTests(maker, leaves)
}

/** The members of a filter, with the type of what they take. */
function inputsOf(
  type: RowType,
  leaves: readonly FieldModel[],
  objects: readonly FieldModel[],
): readonly { readonly name: string; readonly input: string }[] {
  const where = `${type.name}WhereInput`
  return [
    { name: '_and', input: `[${where}!]` },
    { name: '_or', input: `[${where}!]` },
    { name: '_not', input: where },
    ...leaves.map((field) => ({ name: field.wireName, input: filterTypeName(field) })),
    ...objects.map(({ wireName, named, list }) => ({
      name: wireName,
      input: `${named.name}${list ? 'ListFilter' : 'WhereInput'}`,
    })),
  ]
}

function overName({ list, read }: FieldModel): string {
  return `filter ${list ? 'some' : 'over one object'} in ${read?.from === 'relation' ? 'rows' : 'a document'}`
}

function makeOver(maker: Maker, field: FieldModel, depth: number): Member {
  const { random, coverage } = maker
  const type = field.named as RowType
  const place = field.read?.from === 'relation' ? 'rows' : 'a document'
  if (!field.list) {
    coverage.note(`filter over one object in ${place}`)
    return { kind: 'one', field, part: makeWhere(maker, type, depth - 1) }
  }
  const many = random.pick([1, 1, 1, 2, 0])
  const first = coverage.rarest(random, QUANTIFIERS, (quantifier) => `filter ${quantifier} in ${place}`, 6)
  const others = QUANTIFIERS.filter((quantifier) => quantifier !== first)
  const wanted = many === 0 ? [] : [first, ...random.some(others, many - 1)]
  const quantifiers = wanted.map((quantifier): Quantified => {
    coverage.note(`filter ${quantifier} in ${place}`)
    return { quantifier, part: makeWhere(maker, type, depth - 1) }
  })
  return { kind: 'many', field, quantifiers }
}

function makeTests(maker: Maker, leaves: readonly FieldModel[]): Member {
  const { random, coverage } = maker
  const all = leaves.flatMap((field) => operatorsOf(field).map((operator) => ({ field, operator })))
  const { field, operator: first } = coverage.rarest(random, all, ({ field, operator }) =>
    operatorName(field, operator.id),
  )
  const others = operatorsOf(field).filter((operator) => operator !== first)
  const chosen = random.chance(0.2) ? [first, ...random.some(others, 1)] : random.chance(0.03) ? [] : [first]
  const tests = chosen.map((operator) => makeTest(maker, field, operator))
  return { kind: 'tests', field, tests }
}

export function makeTest(
  { random, coverage, samples }: Maker,
  field: FieldModel,
  operator: filterOperators.Operator,
): Test {
  coverage.note(operatorName(field, operator.id))
  const as = random.chance(0.5) ? 'variable' : 'literal'
  return { operator, operand: makeOperand(random, operator, field, samples), as }
}

export function nameOf(member: Member): string {
  switch (member.kind) {
    case 'and':
    case 'or':
    case 'not':
      return `_${member.kind}`
    case 'nothing':
      return member.name
    default:
      return member.field.wireName
  }
}

/** The same filter with other values in the place of its variables. */
export function withOtherOperands(maker: Maker, where: Where): Where {
  return { ...where, members: where.members.map((member) => memberWithOthers(maker, member)) }
}

function memberWithOthers(maker: Maker, member: Member): Member {
  const { random, samples } = maker
  switch (member.kind) {
    case 'and':
    case 'or':
      return { ...member, parts: member.parts.map((part) => withOtherOperands(maker, part)) }
    case 'not':
    case 'one':
      return { ...member, part: withOtherOperands(maker, member.part) }
    case 'many': {
      const quantifiers = member.quantifiers.map((each) => ({ ...each, part: withOtherOperands(maker, each.part) }))
      return { ...member, quantifiers }
    }
    case 'tests': {
      const { field } = member
      const other = (test: Test): Test => ({ ...test, operand: makeOperand(random, test.operator, field, samples) })
      return { ...member, tests: member.tests.map((test) => (test.as === 'literal' ? test : other(test))) }
    }
    case 'nothing':
      return member
  }
}

import type {
  Item,
  ListArguments,
  Member,
  Numbers,
  Part,
  Quantified,
  Request,
  Root,
  Selection,
  Where,
} from './request.ts'

/** Requests that are a little smaller, what takes most away first. */
export function* smaller({ caller, roots }: Request): Generator<Request> {
  if (roots.length > 1) for (const root of roots) yield { caller, roots: [root] }
  for (const each of replaced(roots, smallerRoot)) yield { caller, roots: each }
}

function* smallerRoot(root: Root): Generator<Root> {
  if (root.kind === 'typename') return
  if (root.kind === 'numbers') {
    for (const numbers of smallerNumbers(root.numbers)) yield { ...root, numbers }
    for (const equals of without(root.equals)) yield { ...root, equals }
    return
  }
  for (const of of smallerSelection(root.of)) yield { ...root, of }
  if (root.kind === 'node') return
  for (const args of smallerArguments(root.args)) yield { ...root, args }
  for (const equals of without(root.equals)) {
    if (root.query.list) yield { ...root, equals }
  }
  const { wrapper } = root
  if (wrapper !== null && wrapper.length > 1) for (const each of without(wrapper)) yield { ...root, wrapper: each }
}

function* smallerSelection({ type, parts }: Selection): Generator<Selection> {
  if (parts.length > 1) for (const each of without(parts)) yield { type, parts: each }
  for (const each of replaced(parts, smallerPart)) yield { type, parts: each }
}

function* smallerPart(part: Part): Generator<Part> {
  if (part.form !== 'plain' && part.on === null) yield { ...part, form: 'plain' }
  if (part.items.length > 1) for (const items of without(part.items)) yield { ...part, items }
  for (const items of replaced(part.items, smallerItem)) yield { ...part, items }
}

function* smallerItem(item: Item): Generator<Item> {
  if (item.numbers !== undefined) for (const numbers of smallerNumbers(item.numbers)) yield { ...item, numbers }
  if (item.directive !== null) yield { ...item, directive: null }
  for (const args of smallerArguments(item.args)) yield { ...item, args }
  if (item.of !== null) for (const of of smallerSelection(item.of)) yield { ...item, of }
}

function* smallerNumbers(numbers: Numbers): Generator<Numbers> {
  const { members, groupBy, having, orderBy, where } = numbers
  for (const name of ['where', 'having', 'orderBy', 'limit', 'offset'] as const) {
    const { [name]: given, ...rest } = numbers
    if (given !== undefined) yield rest
  }
  if (members.length > 1) for (const each of without(members)) yield { ...numbers, members: each }
  for (const [index, member] of members.entries()) {
    if (!('fields' in member) || member.fields.length < 2) continue
    for (const fields of without(member.fields)) {
      yield { ...numbers, members: members.with(index, { ...member, fields }) }
    }
  }
  for (const [name, given] of Object.entries({ groupBy, having, orderBy, where })) {
    if (given != null && given.as !== 'literal') yield { ...numbers, [name]: { ...given, as: 'literal' } }
  }
  if (where?.value) for (const value of smallerWhere(where.value)) yield { ...numbers, where: { ...where, value } }
  if (having !== undefined && having.value.kind !== 'test') {
    const parts = having.value.kind === 'not' ? [having.value.part] : having.value.parts
    for (const value of parts) yield { ...numbers, having: { ...having, value } }
  }
}

function* smallerArguments(args: ListArguments): Generator<ListArguments> {
  for (const name of Object.keys(args) as (keyof ListArguments)[]) {
    const { [name]: _, ...rest } = args
    yield rest
  }
  for (const [name, given] of Object.entries(args)) {
    if (given.as !== 'literal') yield { ...args, [name]: { ...given, as: 'literal' } }
  }
  const { where, orderBy } = args
  if (where?.value) for (const value of smallerWhere(where.value)) yield { ...args, where: { ...where, value } }
  if (orderBy !== undefined && orderBy.value.length > 1) {
    for (const value of without(orderBy.value)) yield { ...args, orderBy: { ...orderBy, value } }
  }
}

function* smallerWhere(where: Where): Generator<Where> {
  const { type, members } = where
  for (const member of members) {
    if (member.kind === 'and' || member.kind === 'or') yield* member.parts
    if (member.kind === 'not') yield member.part
  }
  for (const each of without(members)) yield { type, members: each }
  for (const each of replaced(members, smallerMember)) yield { type, members: each }
}

function* smallerMember(member: Member): Generator<Member> {
  switch (member.kind) {
    case 'and':
    case 'or':
      for (const parts of without(member.parts)) yield { ...member, parts }
      for (const parts of replaced(member.parts, smallerWhere)) yield { ...member, parts }
      return
    case 'not':
    case 'one':
      for (const part of smallerWhere(member.part)) yield { ...member, part }
      return
    case 'many':
      for (const quantifiers of without(member.quantifiers)) yield { ...member, quantifiers }
      for (const quantifiers of replaced(member.quantifiers, smallerQuantified)) yield { ...member, quantifiers }
      return
    case 'tests':
      for (const tests of without(member.tests)) if (tests.length > 0) yield { ...member, tests }
      for (const [index, test] of member.tests.entries()) {
        if (test.as === 'variable') yield { ...member, tests: member.tests.with(index, { ...test, as: 'literal' }) }
        if (Array.isArray(test.operand)) {
          for (const operand of without(test.operand))
            yield { ...member, tests: member.tests.with(index, { ...test, operand }) }
        }
      }
  }
}

function* smallerQuantified(each: Quantified): Generator<Quantified> {
  for (const part of smallerWhere(each.part)) yield { ...each, part }
}

/** The list without one of its items, each in turn. */
function* without<T>(items: readonly T[]): Generator<readonly T[]> {
  for (const index of items.keys()) yield items.toSpliced(index, 1)
}

/** The list with one of its items made smaller. */
function* replaced<T>(items: readonly T[], make: (item: T) => Iterable<T>): Generator<readonly T[]> {
  for (const [index, item] of items.entries()) for (const each of make(item)) yield items.with(index, each)
}

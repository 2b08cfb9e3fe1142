import type { FieldModel, QueryModel } from '../../../core/doors/plugin.ts'
import type { Random } from '../random.ts'
import { DIRECTIONS, type Member, type OrderTerm, type RowType, type Where } from '../request.ts'
import { orderName, sortableFields } from './arguments.ts'
import { type Maker, makeTest, operatorName, operatorsOf } from './filters.ts'

/** An operator or an order of one kind of field, and a list that can be asked for it. */
export interface Target {
  readonly name: string
  readonly query: QueryModel
  readonly makeWhere: ((maker: Maker) => Where) | null
  readonly order: OrderTerm | null
}

type Wrap = (part: Where) => Where

/** All that the lists can be asked for: what random filters seldom come to is asked for on purpose. */
export function targetsOf(queries: readonly QueryModel[]): readonly Target[] {
  const targets: Target[] = []
  for (const query of queries) {
    const { named } = query
    if (!query.list || (named.kind !== 'object' && named.kind !== 'interface')) continue
    collect(targets, query, named, (part) => part, 2)
    for (const field of sortableFields(named)) {
      for (const direction of DIRECTIONS) {
        const order = { field, direction }
        targets.push({ name: orderName(field, direction), query, makeWhere: null, order })
      }
    }
  }
  return targets
}

function collect(targets: Target[], query: QueryModel, type: RowType, wrap: Wrap, depth: number): void {
  for (const field of type.fields.values()) {
    for (const operator of operatorsOf(field)) {
      const makeWhere = (maker: Maker): Where => {
        const tests: Member = { kind: 'tests', field, tests: [makeTest(maker, field, operator)] }
        return wrap({ type, members: [tests] })
      }
      targets.push({ name: operatorName(field, operator.id), query, makeWhere, order: null })
    }
    if (field.read?.from !== 'document' || field.named.kind !== 'object' || depth === 0) continue
    collect(targets, query, field.named, (part) => wrap({ type, members: [over(field, part)] }), depth - 1)
  }
}

/** All that can be asked for, one after the other, in an order that a seed decides. */
export function turnsOf(random: Random, targets: readonly Target[]): () => Target | null {
  const byName = new Map<string, Target[]>()
  for (const target of targets) byName.set(target.name, [...(byName.get(target.name) ?? []), target])
  const names = random.some([...byName.keys()], byName.size)
  let next = 0
  return () => {
    const name = names[next++ % names.length]
    return name === undefined ? null : random.pick(byName.get(name)!)
  }
}

/** Objects in a document. */
function over(field: FieldModel, part: Where): Member {
  return field.list
    ? { kind: 'many', field, quantifiers: [{ quantifier: 'some', part }] }
    : { kind: 'one', field, part }
}

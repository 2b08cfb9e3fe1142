import { toWireName } from '../../core/base/util/naming.ts'
import type { PlanWorld } from './plan-world.ts'
import type { TestLike } from './services.ts'
import type { SpecialField } from './special-cases.ts'

/** What each operator finds, and what its opposite does, with its operand in the document's variables and refused ones before the database. */
export async function checkSpecials(t: TestLike, world: PlanWorld, fields: readonly SpecialField[]): Promise<void> {
  for (const { field, values, cases } of fields) {
    const wire = toWireName(field)
    for (const [name, operand, rows, refused] of cases) {
      const ask = (value: unknown) =>
        world.run('query($where: RowWhereInput) { rows(where: $where, orderBy: [{ id: ASC }]) { id } }', {
          where: { [wire]: { [name]: value } },
        })
      const label = `${field} ${name} ${JSON.stringify(operand)}`
      const found = await ask(operand).catch((error) => ({ rows: [{ id: String(error) }] }))
      t.strictSame(
        found.rows.map(({ id }: { id: string }) => (Number.isNaN(Number(id)) ? id : Number(id))),
        rows,
        label,
      )
      // The row that holds nothing but nulls is neither here nor there.
      const others = await world.run(
        'query($where: RowWhereInput) { rows(where: { _not: $where }, orderBy: [{ id: ASC }]) { id } }',
        { where: { [wire]: { [name]: operand } } },
      )
      t.strictSame(
        others.rows.map(({ id }: { id: string }) => Number(id)),
        values.flatMap((_, index) => (rows.includes(index + 1) ? [] : [index + 1])),
        `not ${label}`,
      )
      if (refused === undefined) continue
      await t.rejects(
        ask(refused),
        /operand|must be|range has|invalid value|not negative|required type|dimensions/,
        `${label}: not ${JSON.stringify(refused)}`,
      )
    }
  }
}

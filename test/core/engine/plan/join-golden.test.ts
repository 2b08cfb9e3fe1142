import { fileURLToPath } from 'node:url'
import t from 'tap'
import { prepareRead } from '../../../../core/engine/execute/read/prepare-read.ts'
import { describePlan, sourcesOf } from '../../../../core/engine/plan/describe-plan.ts'
import { planRead } from '../../../../core/engine/plan/plan-read.ts'
import { matchGoldenSql } from '../../../golden/match-golden-sql.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openWorld, worldOn } from '../../../helpers/plan-world.ts'
import { extendSchema } from '../../../schemas/extend-schema.ts'
import { FILMS } from '../../../schemas/films.ts'

const QUERIES = {
  'a list, and one over a composite key':
    '{ films(limit: 9) { title actors(where: { age: { _gt: 30 } }, orderBy: [{ name: ASC }], limit: 2) { name } studios { label } } }',
  filters: '{ films(where: { actors: { some: { name: { _eq: "Ann" } }, none: { age: { _lt: 9 } } } }) { title } }',
  'an alternative within a filter':
    '{ films(where: { actors: { some: { _or: [{ follows: { some: { age: { _gt: 1 } } } }, { age: { _lt: 9 } }] } } }) { title } }',
  groups: '{ films { actorsGroups(groupBy: [age]) { keys { age } count } } }',
  aggregates: '{ films { actorsAggregate(where: { age: { _gt: 1 } }) { count } } }',
}
const castings = [
  {
    name: 'Casting',
    sql_source: 'cast_list',
    row_filter: 'secret = 0',
    inject: { owner: 'jwt:sub' },
    fields: [{ name: 'owner', type: 'String!' }],
  },
]
const RULED = extendSchema(FILMS.schema, { types: castings })

/** The statement of each request in every dialect. `SVC_UPDATE_GOLDEN=1` writes the files again; CI ignores it. */
await eachDatabase(
  t,
  async (t, database) => {
    const dialect = database.kind === 'pglite' ? 'postgres' : database.kind
    const sections: Record<string, readonly string[]> = {}
    const plain = await openWorld(t, database, FILMS.schema)
    const ruled = await worldOn(plain.database, RULED)
    for (const [rules, world] of [
      ['', plain],
      [', with rules of the join table', ruled],
    ] as const) {
      for (const [title, query] of Object.entries(QUERIES)) {
        const { statement } = prepareRead(world.operation(query), world.model, world.settings)
        sections[`${title}${rules}`] = [statement!.text]
      }
    }
    const folder = fileURLToPath(new URL('../../../golden/join-tables', import.meta.url))
    await matchGoldenSql(t, `${folder}/${dialect}.sql`, sections)

    const { operation, model, settings } = ruled
    const planOf = (query: string) => planRead(operation(query), model, settings)
    t.match(
      describePlan(planOf('{ film(id: 1) { actors { name } } }')),
      'actors: toMany actor #2 tied #2.actor_id = #3.actor_id through cast_list #3 laid (secret = 0) rules #3.owner _in ? tied #3.film_id = #1.film_id',
    )
    for (const query of Object.values(QUERIES)) {
      const names = sourcesOf(planOf(query)).map(({ name }) => name)
      t.ok(names.includes('cast_list'), `${names} are the tags of a cached response`)
    }
  },
  { sql: FILMS.sql, sqlite: { sql: FILMS.sql }, mysql: { sql: FILMS.mysql } },
)

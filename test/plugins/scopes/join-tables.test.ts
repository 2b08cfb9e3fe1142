import t from 'tap'
import { createSqlite } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { as, type TestCaller, testCredential } from '../../helpers/test-credential.ts'
import { extendSchema } from '../../schemas/extend-schema.ts'
import { FILMS } from '../../schemas/films.ts'

const actor = { name: 'actor', type: 'Actor', relation: { from: 'actor_id', to: 'actor_id' } }

for (const [about, casting] of [
  ['type', { requires_role: 'agent', fields: [actor] }],
  ['field', { fields: [{ ...actor, requires_role: 'agent' }] }],
] as const) {
  t.test(`a ${about} over a join table that needs a role closes the lists through it`, async (t) => {
    const castings = [{ name: 'Casting', sql_source: 'cast_list', ...casting }]
    const schema = extendSchema(FILMS.schema, { types: castings })
    const app = await openApp(t, await createSqlite(t, { sql: FILMS.sql }), schema, { plugins: [testCredential()] })
    const ask = (query: string, caller: TestCaller) => app.graphql(query, undefined, as(caller))
    const titles = '{ films(where: { actors: { some: { name: { _eq: "Ann" } } } }) { title } }'
    for (const query of [
      '{ film(id: 1) { title actors { name } } }',
      '{ film(id: 1) { title actorsAggregate { count } } }',
      titles,
      '{ actorsAggregate(where: { films: { some: {} } }) { count } }',
    ]) {
      const { data, errors } = await ask(query, {})
      t.match(errors, [{ message: /missing role agent/, extensions: { code: 'FORBIDDEN' } }], query)
      t.notMatch(JSON.stringify(data ?? null), /Ann|Alpha.*Gamma|"count":\d/, query)
      t.equal((await ask(query, { roles: ['agent'] })).errors, undefined, query)
    }
    t.same((await ask(titles, { roles: ['agent'] })).data.films.length, 2)
    t.same((await ask('{ film(id: 1) { title studios { label } } }', {})).errors, undefined, 'other lists stay open')
  })
}

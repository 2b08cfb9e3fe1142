import t from 'tap'
import { createSqlite, eachDatabase } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { FILMS } from '../../schemas/films.ts'
import { restPlugin } from './world.ts'

await eachDatabase(
  t,
  async (t, database) => {
    const app = await openApp(t, database, FILMS.schema, { plugins: [restPlugin()] })
    const read = async (url: string) => {
      const reply = await app.inject({ url: `/rest/v1${url}` })
      t.equal(reply.status, 200, `${url}: ${reply.text}`)
      // biome-ignore lint/suspicious/noExplicitAny: a body of any shape, looked at by assertions
      return reply.json<any>()
    }
    const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).join()

    await t.test('rows of a join table are embedded, filtered, sorted, counted', async (t) => {
      const { data } = await read('/films?select=title,actors(name,films(title)),actors.count&sort=title&limit=2')
      t.strictSame(data, [
        {
          title: 'Alpha',
          actors: [
            { name: 'Ann', films: [{ title: 'Alpha' }, { title: 'Gamma' }] },
            { name: 'Bob', films: [{ title: 'Alpha' }, { title: 'Beta' }] },
          ],
          actorsCount: 2,
        },
        {
          title: 'Beta',
          actors: [
            { name: 'Bob', films: [{ title: 'Alpha' }, { title: 'Beta' }] },
            { name: 'Cid', films: [{ title: 'Beta' }] },
          ],
          actorsCount: 2,
        },
      ])
      const some = await read('/films?select=title,actors(name)&actors.age[gte]=35&actors.sort=-name&sort=title')
      t.strictSame(
        some.data.map(({ actors }: { actors: { name: string }[] }) => names(actors)),
        ['Bob', 'Bob', '', ''],
      )
      t.equal(names((await read('/films/1?select=actors(name)&actors.limit=1')).data.actors), 'Ann')
    })
  },
  { sql: FILMS.sql, sqlite: { sql: FILMS.sql } },
)

t.test('a column of the own key names no relation through a join table', async (t) => {
  // Of one relation per column, a relation to one row has the name of its column, too.
  const types = (FILMS.schema.types ?? []).map((type) => ({
    ...type,
    fields: type.fields.filter(({ name }) => name !== 'studios'),
  }))
  const database = await createSqlite(t, { sql: FILMS.sql })
  const app = await openApp(t, database, { ...FILMS.schema, types }, { plugins: [restPlugin()] })
  const { status, text } = await app.inject({ url: '/rest/v1/films?select=title,film_id(name)' })
  t.equal(status, 400)
  t.match(text, /UNKNOWN_PARAMETER.*film_id/)
})

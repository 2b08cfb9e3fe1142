import { getIntrospectionQuery } from 'graphql'
import t from 'tap'
import { eachDatabase } from '../../helpers/databases.ts'
import { BOOK, LIBRARY_SQL, OPEN_LIBRARY } from '../../helpers/library.ts'
import { openApp } from '../../helpers/open-app.ts'

/** The front on the real engine: what no test of the front alone can show. */
eachDatabase(
  t,
  async (t, database) => {
    const app = await openApp(t, database, OPEN_LIBRARY)
    const post = async (query: string, variables?: object, accept = 'application/json') => {
      const reply = await app.inject({
        method: 'POST',
        url: '/graphql',
        body: { query, variables },
        headers: { accept },
      })
      return { status: reply.status, ...(reply.json() as { data?: Record<string, unknown>; errors?: unknown }) }
    }

    await t.test(
      'variables, aliases, fragments, directives, introspection and __typename in one request',
      async (t) => {
        const query = `query All($where: BookWhereInput, $id: ID!, $full: Boolean!) {
        __typename
        list: books(where: $where, orderBy: [{ title: ASC }], limit: 2) { ...B }
        one: book(id: $id) { __typename title weight @include(if: $full) price @skip(if: $full) }
        countedBooks(limit: 1) { totalCount items { title } }
        __type(name: "Book") { name }
      }
      fragment B on Book { title sold ... @include(if: $full) { price } }`
        const where = { _or: [{ title: { _istartswith: 'alpha' } }, { price: { _gt: '50.00' } }] }
        t.strictSame(await post(query, { where, id: BOOK.beta, full: true }), {
          status: 200,
          data: {
            __typename: 'Query',
            list: [
              { title: 'Alpha 100%', sold: '9007199254740993', price: '10.50' },
              { title: 'delta', sold: '1', price: '99.99' },
            ],
            one: { __typename: 'Book', title: 'beta', weight: 0.1 },
            countedBooks: { totalCount: 4, items: [{ title: 'Alpha 100%' }] },
            __type: { name: 'Book' },
          },
        })
      },
    )

    await t.test('the introspection query alone', async (t) => {
      const { data } = await post(getIntrospectionQuery())
      t.match(data, { __schema: { queryType: { name: 'Query' } } })
    })

    await t.test('a negative limit, as literal and as variable', async (t) => {
      for (const [query, variables] of [
        ['{ books(limit: -1) { id } }', {}],
        ['query ($n: Int) { books(limit: $n) { id } }', { n: -1 }],
      ] as const) {
        t.match(await post(query, variables), {
          status: 200,
          errors: [{ message: /limit/, extensions: { code: 'BAD_USER_INPUT', statusCode: 400 } }],
        })
      }
    })

    await t.test('null as an operand names the operator to use instead', async (t) => {
      t.match(await post('{ books(where: { title: { _eq: null } }) { id } }'), {
        errors: [{ message: /_is_null/, extensions: { code: 'BAD_USER_INPUT' } }],
      })
    })

    await t.test('an id that cannot be one of the column', async (t) => {
      t.match(await post('{ book(id: "not a uuid") { id } }', {}, 'application/graphql-response+json'), {
        errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
      })
    })

    await t.test('the process serves on', async (t) => {
      t.strictSame(await post(`{ book(id: "${BOOK.beta}") { title } }`), {
        status: 200,
        data: { book: { title: 'beta' } },
      })
    })
  },
  { sql: LIBRARY_SQL },
)

import t from 'tap'
import { field, ID, subscription, String as Text, type } from '../../../core/authoring/index.ts'
import { compileSchema } from '../../../core/compiler/compile.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { testCompile } from '../../../core/testing/testing.ts'
import part from '../../../plugins/subscriptions/compile.ts'
import { authored } from '../../helpers/authored.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'
import { shop } from './shop.ts'

/** What authors write of subscriptions, and what is wrong with it. */
const faultsOf = (more: object): readonly string[] =>
  testCompile(part, shop([{ name: 'one', type: 'Order!', ...more }]), {
    plugin: 'subscriptions',
    options: {} as never,
  }).faults.map(({ message }) => message)

t.test('an invalid subscription is a compile fault', async (t) => {
  const test = { path: 'status', value: 'paid' }
  const args = [{ name: 'town_name', type: 'String' }]
  for (const filter of [
    "status == 'paid'",
    test,
    { conditions: [test, { path: 'total', operator: 'in', value: [1, 2.5, -3] }] },
    { path: 'note', operator: 'neq', value: null },
  ])
    t.same(faultsOf({ filter }), [], JSON.stringify(filter))
  t.same(faultsOf({ arguments: args, filter: { conditions: [{ argument: 'townName', path: 'customer' }] } }), [])
  for (const [wrong, message] of [
    [{ filter: "statu == 'x'" }, /filter, column 1: there is no "statu" here\. Did you mean "status"/],
    [{ filter: { ...test, path: 'statu' } }, /condition 1: Order has no field "statu"\. Did you mean "status"/],
    [{ filter: { conditions: [test, { ...test, path: "x'" }] } }, /condition 2: "x'" is no path/],
    [{ filter: { path: 'status' } }, /condition 1: it needs a "value"/],
    [{ filter: { value: 1 } }, /condition 1: it needs a "path"/],
    [{ filter: { ...test, conditions: [test] } }, /"conditions" stand alone/],
    [{ filter: { conditions: [{ ...test, argument: 'x' }] } }, /condition 1: it has an "argument"/],
    [{ filter: { ...test, operator: 'in' } }, /condition 1: "in" wants a list/],
    [{ filter: { ...test, value: ['a'] } }, /condition 1: "eq" wants one value/],
    [{ filter: { ...test, value: { a: 1 } } }, /condition 1: its value is a text, a number/],
    [{ filter: { ...test, operator: 'in', value: [] } }, /condition 1: its value is/],
    [{ filter: { conditions: [{ argument: 'town', path: 'customer' }] } }, /filter: there is no argument "town"/],
    [
      {
        arguments: args,
        filter: {
          conditions: ['status', 'note'].map((path) => ({ argument: 'town_name', path })),
        },
      },
      /condition 2: argument "town_name" has a path already/,
    ],
    [{ arguments: args }, /argument "town_name" is no field of Order/],
    [{ type: '[Order!]!' }, /an event tells of one row/],
    [{ type: 'Ordre!' }, /there is no type "Ordre"/],
    [{ topic: 'a b' }, /topic "a b" is no name/],
    [{ replay: true }, /replay needs durable/],
  ] as const)
    t.match(faultsOf(wrong)[0] ?? '', message, JSON.stringify(wrong))
})

t.test('a fault of a filter is one sentence, with the names as they are written', async (t) => {
  const faults = (filter: unknown) => faultsOf({ filter })
  t.strictSame(faults({ path: 'status.a.b', value: 1, operator: 'in' }), [
    'Subscription "one": filter, condition 1: "in" wants a list.',
  ])
  const [dotted] = faults({ path: 'customer..town', value: 'x' })
  t.equal(dotted, 'Subscription "one": filter, condition 1: "customer..town" is no path: names with dots between them.')
})

t.test('a value is a value, whatever stands in it', async (t) => {
  for (const value of ["it's", '\\', "\\'", "' or 1 == 1 or '", '\n', '"'])
    for (const operator of ['eq', 'contains'])
      t.same(faultsOf({ filter: { path: 'status', operator, value } }), [], JSON.stringify(value))
})

t.test('the shape of a filter', async (t) => {
  const faults = (filter: unknown): string => {
    const schema = shop([{ name: 'one', type: 'Order!', filter: filter as never }])
    return JSON.stringify(compileSchema(schema, { owned: OWNED_KEYS, catalog: null }).faults)
  }
  t.match(faults({ paht: 'status', value: 1 }), /unknown key \\"paht\\"\. Did you mean \\"path\\"/)
  t.match(faults({ conditions: [{ path: 'status', vale: 1 }] }), /unknown key \\"vale\\"/)
  for (const filter of [{ path: 'status', operator: 'like', value: 1 }, { conditions: [] }, 7, ''])
    t.match(faults(filter), /filter|operator|conditions/, JSON.stringify(filter))
})

t.test('in TypeScript', async (t) => {
  const { schema } = await authored(() => {
    @type({ sqlSource: 'v_order' })
    class Order {
      @field(ID) id!: string
      @field(Text) status!: string
    }
    class Live {
      @subscription(() => Order, {
        args: { city: Text },
        filter: {
          conditions: [
            { path: 'status', operator: 'in', value: ['a', 'b'] },
            { argument: 'city', path: 'status' },
          ],
        },
      })
      moved!: unknown
    }
    subscription('paid', Order, { filter: { path: 'status', value: 'paid' } })
    return { Order, Live }
  })
  t.match((schema as AuthoredSchema).subscriptions, [
    {
      name: 'moved',
      filter: {
        conditions: [
          { path: 'status', operator: /^in$/, value: [/^a$/, /^b$/] },
          { argument: 'city', path: 'status' },
        ],
      },
    },
    { name: 'paid', filter: { path: 'status', value: 'paid' } },
  ])
  const wrong = await authored(() => {
    @type({ sqlSource: 'v_order' })
    class Order {
      @field(ID) id!: string
    }
    subscription('paid', Order, { filter: { path: 'status', operator: 'is', value: 1 } as never })
    return { Order }
  }).catch((error: Error) => ({ faults: error.message }))
  t.match(JSON.stringify(wrong), /option \\?"filter\\?"/)
})

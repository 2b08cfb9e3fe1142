import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import type { Manifest } from '../../../../core/contract/manifest.ts'
import { faultsOf } from '../../../../core/kernel/faults.ts'
import { boot, failure, plugin } from '../../../helpers/kernel.ts'

const code = (status: number, exposed: boolean) => ({ status, exposed, doc: 'x' })

t.test('codes of a manifest are real: status and exposure', async (t) => {
  const codes = { STOCK_EMPTY: code(409, true), STOCK_BROKEN: code(503, true), STOCK_SECRET: code(500, false) }
  t.equal(new SvcError('STOCK_EMPTY', 'x').status, 422, 'until a plugin declares it')
  const kernel = await boot([plugin('stock', undefined, { codes })])
  t.teardown(() => kernel.close())
  const shown = (name: string) => kernel.toPublicError(new SvcError(name, 'All sold.'), null)
  t.match(shown('STOCK_EMPTY'), { code: 'STOCK_EMPTY', status: 409, message: 'All sold.' })
  t.match(shown('STOCK_BROKEN'), { code: 'STOCK_BROKEN', status: 503, details: { errorId: String } })
  t.match(shown('STOCK_SECRET'), { code: 'INTERNAL_SERVER_ERROR', status: 500, message: 'An internal error occurred.' })
})

t.test('a code belongs to the app whose plugin declares it', async (t) => {
  const one = await boot([plugin('stock', undefined, { codes: { STOCK_EMPTY: code(409, true) } })])
  const other = await boot([plugin('stock', undefined, { codes: { STOCK_EMPTY: code(410, false) } })])
  const none = await boot([])
  t.teardown(() => Promise.all([one.close(), other.close(), none.close()]))
  const error = new SvcError('STOCK_EMPTY', 'All sold.').at(['a'])
  t.strictSame(
    [one, other, none].map((kernel) => {
      const { code, status } = kernel.toPublicError(error, null)
      return [code, status]
    }),
    [
      ['STOCK_EMPTY', 409],
      ['INTERNAL_SERVER_ERROR', 500],
      ['STOCK_EMPTY', 422],
    ],
  )
  const given = new SvcError('STOCK_EMPTY', 'All sold.', { status: 418 }).at(['a'])
  t.equal(one.toPublicError(given, null).status, 418, 'a status that the error names wins')
})

t.test('a manifest declares what is its own', async (t) => {
  const command = { name: 'stock', summary: 'x', module: './x' }
  const one: Partial<Manifest> = {
    codes: {
      FORBIDDEN: code(403, true),
      EMPTY: code(409, true),
      STOCK_low: code(409, true),
      STOCK_EMPTY: code(409, true),
    },
    metrics: {
      stock_sold: { type: 'counter', help: 'x' },
      sold_total: { type: 'counter', help: 'x' },
      stock_Size: { type: 'gauge', help: 'x' },
      stock_size: { type: 'gauge', help: 'x', buckets: [1] },
      stock_seconds: { type: 'histogram', help: 'x', buckets: [2, 1] },
      stock_asked_total: { type: 'counter', help: 'x', labels: ['le'] },
      svc_shared_total: { type: 'counter', help: 'x' },
    },
    commands: [command],
  }
  const other: Partial<Manifest> = {
    metrics: { svc_shared_total: { type: 'counter', help: 'x' } },
    commands: [command],
  }
  const error = await failure(() => boot([plugin('@acme/stock', undefined, one), plugin('twin', undefined, other)]))
  t.same(
    faultsOf(error).map(({ plugin, message }) => `${plugin}: ${message.replace(/^Plugin "[^"]+" declares the /, '')}`),
    [
      '@acme/stock: code "FORBIDDEN", which is svc\'s own.',
      '@acme/stock: code "EMPTY"; its codes are in upper case and begin with "STOCK".',
      '@acme/stock: code "STOCK_low"; its codes are in upper case and begin with "STOCK".',
      '@acme/stock: metric "stock_sold": the name of a counter ends with "_total".',
      '@acme/stock: metric "sold_total": its names begin with "stock_".',
      '@acme/stock: metric "stock_Size": a name is lower case, digits and _.',
      '@acme/stock: metric "stock_size": only a histogram has buckets.',
      '@acme/stock: metric "stock_seconds": buckets are numbers that ascend.',
      '@acme/stock: metric "stock_asked_total": "le" is no name for a label.',
      'twin: metric "svc_shared_total", which plugin "@acme/stock" declares already.',
      'twin: command "stock", which plugin "@acme/stock" declares already.',
    ],
  )
})

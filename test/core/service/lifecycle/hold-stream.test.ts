import t from 'tap'
import type { RowStream } from '../../../../core/contract/result-stream.ts'
import { definePlugin } from '../../../../core/doors/plugin.ts'
import { emptySchema, testOperation } from '../../../../core/testing/testing.ts'
import { openPlugin } from '../../../helpers/open-plugin.ts'

t.test('a stream keeps its generation to its end, also where it runs between requests', async (t) => {
  let disposed = 0
  const plugin = definePlugin(
    { name: 'keeper', version: '0.0.0', kernelApi: 1, description: 'Keeps something per schema.' },
    (scope) => void scope.perGeneration(() => ({}), { dispose: () => void disposed++ }),
  )
  let end = (): void => {}
  const stream: RowStream = {
    form: 'rows',
    key: 'list',
    errors: [],
    count: 0,
    close: async () => end(),
    onClose: (listener) => {
      end = listener
    },
    async *[Symbol.asyncIterator]() {},
  }
  const tested = await openPlugin(t, plugin, {
    resolve: () => ({ data: null, errors: null, stream }),
    loadSchema: async () => ({ ...emptySchema(), hash: 'another' }),
  })
  const result = await tested.run(tested.exchange(), { ...testOperation(), form: 'rows' })
  await tested.kernel.reload(async () => ({ ...emptySchema(), hash: 'another' }))
  await new Promise((resolve) => setTimeout(resolve, 10))
  t.equal(disposed, 0, 'rows are still read by the old one')
  await result.stream?.close()
  await new Promise((resolve) => setTimeout(resolve, 10))
  t.equal(disposed, 1)
})

import t from 'tap'
import type { Scope } from '../../../core/contract/scope.ts'
import type { GraphQLApi } from '../../../plugins/graphql/api.ts'
import graphql from '../../../plugins/graphql/index.ts'
import { plugin } from '../../helpers/kernel.ts'
import { openPlugin } from '../../helpers/open-plugin.ts'
import type { TestLike } from '../../helpers/services.ts'
import { linkShop } from './shop.ts'

/** What two requests with one document share: the template, or the failure. */
async function share(t: TestLike, options: Readonly<Record<string, number>>, query: string): Promise<boolean> {
  const box: { api?: GraphQLApi } = {}
  const takeApi = (scope: Scope): void => {
    box.api = scope.use('graphql')
  }
  const user = plugin('user', takeApi, { dependencies: ['graphql'] })
  const tested = await openPlugin(t, user, {
    dependencies: [{ plugin: graphql as never, options }],
    schema: linkShop(),
  })
  const once = (): unknown => {
    const request = { query, variables: null, operationName: null, extensions: null, other: {} }
    try {
      return (box.api!.prepare(tested.exchange(), request) as { template: unknown }).template
    } catch (error) {
      return error
    }
  }
  const first = once()
  t.type(first, 'object')
  return once() === first
}

const GOOD = '{ answer }'
const BAD = '{ nope }'

t.test('document_cache_bytes and failed_document_cache_bytes bound their own cache', async (t) => {
  t.equal(await share(t, {}, GOOD), true)
  t.equal(await share(t, {}, BAD), true)
  t.equal(await share(t, { document_cache_bytes: 0 }, GOOD), false)
  t.equal(await share(t, { document_cache_bytes: 0 }, BAD), true)
  t.equal(await share(t, { failed_document_cache_bytes: 0 }, BAD), false)
  t.equal(await share(t, { failed_document_cache_bytes: 0 }, GOOD), true)
  t.equal(await share(t, { document_cache_bytes: 100_000 }, GOOD), true)
  t.equal(await share(t, { document_cache_bytes: 1000 }, GOOD), false, 'smaller than one document')
})

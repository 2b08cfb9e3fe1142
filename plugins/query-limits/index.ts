// For the stage `graphql:prepared`.

import { definePlugin } from '../../core/index.ts'
import type {} from '../graphql/api.ts'
import { checkDocument } from './check-document.ts'
import manifest from './manifest.ts'
import type { QueryLimits } from './options.ts'

/**
 * Looks at each document once, when it has passed validation: its verdict is kept with the document, so a request that
 * comes again pays nothing. Whatever way a document comes, it comes through that stage.
 */
export default definePlugin<QueryLimits>(manifest, (scope, limits) => {
  scope.on('graphql:prepared', ({ document, schema }) => checkDocument(document, schema, limits))
})

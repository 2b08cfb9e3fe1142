import { definePlugin } from '../../core/doors/plugin.ts'
// For the stage `graphql:prepared`.
import type {} from '../graphql/api.ts'
import { checkBatch } from './check-batch.ts'
import { checkDocument } from './check-document.ts'
import { createOperationCheck } from './check-operation.ts'
import { createMeasure } from './create-measure.ts'
import manifest from './manifest.ts'
import type { QueryLimits } from './options.ts'

/**
 * Looks at each document once, when it has passed validation: its verdict is kept with the document, so a request that
 * comes again pays nothing. Whatever way a document comes, it comes through that stage; what comes as something else is measured
 * as the operation that its front made of it.
 */
export default definePlugin<QueryLimits>(manifest, (scope, limits) => {
  scope.on('graphql:prepared', ({ document, schema }) => checkDocument(document, schema, limits))
  const check = createOperationCheck(limits)
  scope.on('authorize', (_ctx, { template }) => check(template), { position: 'guard' })
  scope.on('graphql:batch', ({ templates }) => checkBatch(templates, limits))
  scope.provide('queryMeasure', createMeasure(limits))
})

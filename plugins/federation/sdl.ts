import { defineSdlPrinter } from '../../core/doors/command.ts'
import type {} from '../graphql/api.ts'
import { federationOf } from './block.ts'
import { printSubgraph } from './print-subgraph.ts'

/**
 * Prints the SDL of the subgraph for `svc compile --sdl`, as the field `_service` returns it, for composition without a
 * running service.
 */
export default defineSdlPrinter(({ generation, use }) =>
  printSubgraph(use('graphql').printSchema(generation), federationOf(generation.schema), generation.schema),
)

import { defineSdlPrinter } from '../../core/doors/command.ts'
import type {} from '../graphql/api.ts'
import { federationOf } from './block.ts'
import { printSubgraph } from './print-subgraph.ts'

/** The schema as `_service` shows it, for who composes without asking the service. */
export default defineSdlPrinter(({ generation, use }) =>
  printSubgraph(use('graphql').printSchema(generation), federationOf(generation.schema), generation.schema),
)

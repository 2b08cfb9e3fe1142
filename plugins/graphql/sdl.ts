import { defineSdlPrinter } from '../../core/doors/command.ts'
import type {} from './api.ts'

/** Prints the GraphQL schema that clients see, for `svc compile --sdl`. It includes the fields and types of plugins. */
export default defineSdlPrinter(({ generation, use }) => use('graphql').printSchema(generation))

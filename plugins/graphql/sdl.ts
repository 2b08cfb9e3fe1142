import { defineSdlPrinter } from '../../core/doors/command.ts'
import type {} from './api.ts'

/** What the plugin prints of the schema that it serves, with the roots and types that plugins add. */
export default defineSdlPrinter(({ generation, use }) => use('graphql').printSchema(generation))

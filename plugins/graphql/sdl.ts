import { defineSdlPrinter } from '../../core/doors/command.ts'
import type {} from './api.ts'

/** Prints the served schema in SDL, with the roots and types of plugins. */
export default defineSdlPrinter(({ generation, use }) => use('graphql').printSchema(generation))

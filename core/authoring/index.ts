/**
 * The entry `svc/authoring`, which schema modules of users import. It is one of the public entries (core/doors has the
 * others).
 */

// Options of plugins.
import '../../presets/authored-keys.ts'

export { SvcError, type SvcErrorOptions } from '../base/errors/svc-error.ts'
export { type AccessMark, apiKeyRequired, authenticated, requiresScope, role } from './access-marks.ts'
export { type ArrowQueryOptions, arrowQuery } from './arrow-query.ts'
export { authorFunction } from './author-function.ts'
export type { Named } from './brand.ts'
export {
  BigInt,
  Boolean,
  Date,
  DateTime,
  Decimal,
  Float,
  ID,
  Int,
  JSON,
  String,
  Time,
  UUID,
} from './builtin-scalars.ts'
export { collectSchema } from './collect.ts'
export { type EnumHandle, type EnumOptions, type EnumValue, enum_ } from './enum.ts'
export { type ErrorDefinition, type ErrorHandle, type ErrorOptions, error } from './error.ts'
export { type FieldDefinition, type FieldsRecord, field } from './field.ts'
export type { FieldOptions } from './field-options.ts'
export { type HierarchyOptions, hierarchy } from './hierarchy.ts'
export { type InputDefinition, type InputHandle, type InputOptions, input } from './input.ts'
export { type InterfaceDefinition, type InterfaceHandle, type InterfaceOptions, interface_ } from './interface.ts'
export {
  type Middleware,
  type MiddlewareNext,
  type MiddlewareReply,
  type MiddlewareRequest,
  middleware,
  type RequestAuth,
} from './middleware.ts'
export { type MutationOptions, mutation } from './mutation.ts'
export {
  type AfterMutation,
  afterMutation,
  type BeforeMutation,
  beforeMutation,
  type HookContext,
} from './mutation-hooks.ts'
export {
  chat,
  email,
  type ObserverAction,
  type ObserverOptions,
  observer,
  type RetryOptions,
  type WebhookOptions,
  webhook,
} from './observer.ts'
export type { ArgumentSource, OperationOptions } from './operation.ts'
export { type AutoParamOptions, type QueryOptions, query } from './query.ts'
export type { Rule, RuleBounds, RuleSource, Rules, Validator } from './rules.ts'
export { type ScalarDefinition, type ScalarHandle, type ScalarOptions, scalar } from './scalar.ts'
export type { ScalarFunctions } from './scalar-functions.ts'
export { schemaKeys } from './schema-keys.ts'
export {
  AirportCode,
  APIKey,
  BitVector,
  CIDR,
  Color,
  ContainerNumber,
  Coordinates,
  CountryCode,
  CUSIP,
  CurrencyCode,
  DateRange,
  DomainName,
  Duration,
  Email,
  ExchangeCode,
  ExchangeRate,
  File,
  FlightNumber,
  GeoJSON,
  HalfVector,
  HashSHA256,
  Hostname,
  HTML,
  IBAN,
  Image,
  IPAddress,
  IPv4,
  IPv6,
  ISIN,
  LanguageCode,
  Latitude,
  LEI,
  LicensePlate,
  LocaleCode,
  Longitude,
  LTree,
  MACAddress,
  Markdown,
  MIC,
  MimeType,
  Money,
  Percentage,
  PhoneNumber,
  Port,
  PortCode,
  PostalCode,
  SEDOL,
  SemanticVersion,
  Slug,
  SparseVector,
  StockSymbol,
  Timezone,
  TrackingNumber,
  URL,
  Vector,
  VIN,
} from './semantic-scalars.ts'
export { type SubscriptionOptions, subscription } from './subscription.ts'
export { type AggregateFields, type TypeDefinition, type TypeHandle, type TypeOptions, type } from './type.ts'
export { list, nullable, ref, type TypeSource } from './type-source.ts'
export { type UnionClassOptions, type UnionOptions, union } from './union.ts'
export { type ValidateMark, validate } from './validate.ts'

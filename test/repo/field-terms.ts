/** Words of exported names that are plain English or terms of GraphQL, SQL, HTTP, OAuth, Arrow, MCP and OpenMetrics. */
export const FIELD_TERMS: ReadonlySet<string> = new Set(
  `
  abort aborted absent acceptable across added after aggregate aggregates announce answer any args argument arguments as
  asset assets at auth author auto bases batch before begin behind bind body booted bound builtin bus by cache call
  cancellable case catalog change check choice claim client code codes coerce coercer column command commit committed
  comparable compare compared compile concatenated condition config connection context control core counter covers
  create credential data database deadline decimal declaration default define definition denied deny deprecated
  describe described did difference direction edge either element elements empty encode enter entity enum error errors escape
  event exact examine exemplar exit explanation expression failed federated field fields filter find finding finished
  first fits flags for forms fragment from full function generated giving group grouped handle handler has headers health
  held hierarchy histogram hook host http id identifier identity import in input inputs insert instant integer interface io
  is items join json key keys large lazily leaves list listener literal load located location log lookup make maker many
  manifest masked matches may maybe mean member members metric metrics middleware model module more mutation name
  named names nearest needs next node note null number object observe observed observer of ok on once only op open operand
  opener operation operator operators optional options order orderable origin other outcome over own owned package page pair pairs
  param parameter parameters parse part passed path paths percents period ping planned plugin policy pool pooled postgres
  precondition prepared print printer problem process projection promise prove proven public qualified queries query quoted read reader
  redis ref refuse refused relation reload render reply request result role rollback route router row runner sampled
  scalar schema script sdl search searchable security selected server service session set setters settles shorten size skipped
  snake snapshot split sql stale state statement stdout stored stream string subscription suffixes svc table tag tagger take
  test text texts time to token too transaction transform tree type unavailable union unique unknown unreachable upgrade use value values
  variable vector view warning wire with within word work workers wrapped wrapper write you
  `
    .trim()
    .split(/\s+/),
)

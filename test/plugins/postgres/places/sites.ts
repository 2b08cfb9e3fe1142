import type { AuthoredSchema } from '../../../../core/schema/authored.ts'

/** Columns of every kind, some that nothing can be read from; rows enough for an index. */
export const SQL = `
CREATE TABLE tb_site (id integer PRIMARY KEY, words text, place gis.geography(Point), flat gis.geometry(Point, 4326),
  projected gis.geometry(Point, 25832), high gis.geometry(PointZ, 4326), area gis.geography(Polygon), shape gis.geometry(Geometry, 4326),
  mapped gis.geometry(Polygon, 25832), loose gis.geometry, wide gis.geography, many gis.geography(Point)[],
  curve gis.geometry(CircularString, 4326), old gis.geography(Point, 4267), saved jsonb, data jsonb);
INSERT INTO tb_site (id, words, place, flat, projected, high, area, shape, mapped, saved, data) VALUES
  (1, '52.52,13.405', 'SRID=4326;POINT(13.405 52.52)', 'SRID=4326;POINT(0.00000012 -0.1)', gis.ST_Transform('SRID=4326;POINT(9 50)'::gis.geometry, 25832),
   'SRID=4326;POINTZ(1 2 3)', 'SRID=4326;POLYGON((0 0,1 0,1 1,0 0))', 'SRID=4326;GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(0 0,1 1))',
   gis.ST_Transform('SRID=4326;POLYGON((9 50,9.1 50,9.1 50.1,9 50))'::gis.geometry, 25832), '{"type":"Point","coordinates":[1,2]}', '{"inner": {"type":"Point","coordinates":[3,4]}}'),
  (2, NULL, NULL, 'SRID=4326;POINT EMPTY', NULL, NULL, NULL, NULL, NULL, NULL, '{}');
CREATE VIEW v_site AS SELECT * FROM tb_site;
CREATE FUNCTION fn_add_site(p_id integer, p_place gis.geography, p_shape gis.geometry) RETURNS v_site LANGUAGE sql AS
  $$ INSERT INTO tb_site(id, place, shape, flat) VALUES (p_id, p_place, p_shape, p_place::gis.geometry) RETURNING * $$;
CREATE FUNCTION fn_put_site(input jsonb) RETURNS jsonb LANGUAGE sql AS
  $$ INSERT INTO tb_site(id, words, place, area, projected)
     VALUES ((input ->> 'id')::int, input ->> 'place', gis.ST_MakePoint(split_part(input ->> 'place', ',', 2)::float8, split_part(input ->> 'place', ',', 1)::float8),
       gis.ST_GeomFromGeoJSON(input -> 'area')::gis.geography, gis.ST_Transform('SRID=4326;POINT(9 50)'::gis.geometry, 25832)) RETURNING to_jsonb(tb_site) $$;
CREATE FUNCTION fn_where_is(p_id integer) RETURNS gis.geography LANGUAGE sql AS $$ SELECT place FROM tb_site WHERE id = p_id $$;
CREATE TABLE tb_many AS SELECT id, gis.ST_SetSRID(gis.ST_MakePoint((id % 360) - 180 + (id % 97) / 100.0, (id % 179) - 89 + (id % 89) / 100.0), 4326)::gis.geography(Point) AS place,
    gis.ST_SetSRID(gis.ST_MakePoint((id % 360) - 180 + (id % 97) / 100.0, (id % 179) - 89 + (id % 89) / 100.0), 4326)::gis.geometry(Point, 4326) AS flat
  FROM generate_series(1, 100000) id;
CREATE VIEW v_many AS SELECT id, place, flat, flat AS shape FROM tb_many;
CREATE INDEX many_place ON tb_many USING gist (place);
CREATE INDEX many_flat ON tb_many USING gist (flat);
ANALYZE tb_many;
`

export const field = (name: string, type: string, more: object = {}) => ({ name, type, ...more })

const FIELDS = [
  field('id', 'ID!'),
  field('words', 'Coordinates'),
  field('place', 'Coordinates'),
  field('flat', 'Coordinates'),
  field('projected', 'Coordinates'),
  field('high', 'GeoJSON'),
  field('area', 'GeoJSON'),
  field('shape', 'GeoJSON'),
  field('mapped', 'GeoJSON'),
  field('saved', 'GeoJSON'),
  field('inner', 'GeoJSON'),
]
export const TYPE = { name: 'Site', sql_source: 'v_site', jsonb_column: 'data' }

export const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    { ...TYPE, aggregate: true, fields: FIELDS },
    {
      name: 'Many',
      sql_source: 'v_many',
      fields: [
        field('id', 'ID!'),
        field('place', 'Coordinates'),
        field('flat', 'Coordinates'),
        field('shape', 'GeoJSON'),
      ],
    },
  ],
  input_types: [
    { name: 'SiteInput', fields: [field('id', 'Int!'), field('place', 'Coordinates!'), field('area', 'GeoJSON!')] },
  ],
  queries: [
    { name: 'sites', type: '[Site!]!' },
    { name: 'siteAt', type: 'Site', sql_source: 'v_site', arguments: [field('place', 'Coordinates!')] },
    { name: 'many', type: '[Many!]!' },
  ],
  mutations: [
    {
      name: 'addSite',
      type: 'Site!',
      sql_source: 'fn_add_site',
      operation: 'CREATE',
      arguments: [field('id', 'Int!'), field('place', 'Coordinates!'), field('shape', 'GeoJSON')],
    },
    {
      name: 'putSite',
      type: 'Site!',
      sql_source: 'fn_put_site',
      operation: 'CREATE',
      input_style: 'jsonb',
      arguments: [field('input', 'SiteInput!')],
    },
  ],
}

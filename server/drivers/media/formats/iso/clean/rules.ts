const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Reference types of `tref`: chapters, timecode, depth, subtitles, alternative tracks. */
const TRACK_REFERENCES = words(
  'chap tmcd cdsc sync scpt ssrc vdep vplx subt font hind mpod dpnd ipir auxl fall forc folw clcp thmb cdep sbas scal swfr swto adda adrc',
);

/**
 * What a player needs, by container; `file` is the top level. Boxes that are not listed are erased, because a box that
 * nobody knows may hold a place. Those that are listed and are containers themselves are searched in turn.
 */
export const NEEDED: Readonly<Record<string, ReadonlySet<string>>> = {
  file: new Set([...words('ftyp styp moov moof mdat imda mfra sidx ssix meta pdin'), 'jP  ']),
  moov: words('mvhd trak mvex pssh iods ctab clip udta meta uuid'),
  mvex: words('mehd trex trep leva'),
  trak: words('tkhd edts tref trgr tapt load mdia matt clip txas udta meta uuid'),
  edts: words('elst'),
  tref: TRACK_REFERENCES,
  trgr: words('msrc ster'),
  tapt: words('clef prof enof'),
  matt: words('kmat'),
  clip: words('crgn'),
  mdia: words('mdhd hdlr minf elng'),
  minf: words('vmhd smhd hmhd sthd nmhd gmhd dinf stbl hdlr'),
  gmhd: words('gmin text tmcd'),
  dinf: words('dref'),
  stbl: words(
    'stsd stts ctts cslg stsc stsz stz2 stco co64 stss stps stsh padb stdp sdtp sbgp sgpd subs saiz saio senc',
  ),
  moof: words('mfhd traf pssh meta udta uuid'),
  traf: words('tfhd tfdt trun sdtp sbgp sgpd subs saiz saio senc meta udta uuid'),
  mfra: words('tfra mfro'),
};

/** Boxes of free space, whose content is erased. */
export const FREE_SPACE = words('free skip wide');

/** Extended boxes (by their `uuid`) of encryption before it was standardised. */
export const NEEDED_EXTENSIONS = words(
  'd08a4f1810f34a82b6c832d8aba183d3 a2394f525a9b4f14a2446c427c648df4 8974dbce7be74c5184f97148f9882554',
);
/** Identifiers of boxes of the type `uuid`. */
export const SPHERICAL_VIDEO = 'ffcc8263f8554a938814587a02521fdd';
export const XMP = 'be7acfcb97a942e89c71999491e3afac';

/** Tracks of these handlers are seen or heard. Others (metadata, hints, scenes) are erased with their samples. */
export const SHOWN = words('vide soun subt text sbtl clcp tmcd auxv pict subp MPEG');

/** Boxes of sample descriptions that configure decoders or describe how samples are shown. */
export const DECODING = words(
  [
    'avcC svcC mvcC hvcC lhvC hvcE vvcC evcC av1C av1M vpcC esds glbl d263 bitr damr jp2h dvcC dvvC dvwC apvC',
    'colr pasp clap fiel gama mdcv clli mdcl cclv amve SmDm CoLL ccst auxi chrm btrt rloc ALPH vexu hfov st3d sv3d',
    'ACLR APRG ARES AORD AALP avss strf SMI \0\0\0\0 JPEG jpgC j2kH cmpd uncC',
    'wave chan chnl dac3 dec3 dac4 ddts udts dOps dfLa alac pcmC mhaC mhaP SA3D SAND srat enda dmlp iacb frma wfex',
    'samr QDMC QDCA QDM2 dfLa vttC ftab sinf dtsx dwvC lsrc hdrv ',
  ].join(' '),
);

/** Parts of the `meta` box of a HEIF file. */
export const IMAGE_PARTS = words('hdlr pitm iloc iinf iref iprp idat dinf grpl ipro');
/** Items that are images or needed to compose them: tiles, overlays, auxiliary images, gain maps. */
export const IMAGE_ITEMS = words(
  'hvc1 hvt1 lhv1 av01 avc1 vvc1 evc1 j2k1 unci jxl1 mski grid iovl iden tmap rgan',
);
/** References and groups that a picture is made of. */
export const IMAGE_REFERENCES = words(
  'dimg thmb cdsc auxl prem base exbl evir tbas mask eroi dpnd pred font',
);
export const IMAGE_GROUPS = words(
  'altr ster eqiv tmap pymd aebr wbbr fobr afbr dobr albc pano slid iaug favc',
);
/** Properties that decide how an image is decoded and shown. */
export const IMAGE_PROPERTIES = words(
  [
    'hvcC lhvC av1C avcC vvcC evcC jpgC j2kH uncC cmpd cmpC icef cpat splz sbpm disi jxlC',
    'ispe pixi pasp clap irot imir iscl rloc rref colr auxC clli mdcv cclv amve ndwt reve hdrv',
    'a1op a1lx lsel tols oinf vpsy mskC cmin cmex prdi rgnC wipe dino',
  ].join(' '),
);

"""Which country a well-known city lies in: one who lives in Berlin lives in Germany. Data only."""

from __future__ import annotations

from memoryapp.detect.kinds import ALIASES, KIND_OF
from memoryapp.detect.words import clean

_CITIES = {
    "argentina": "buenos_aires córdoba rosario", "australia": "sydney melbourne brisbane perth adelaide canberra",
    "austria": "vienna graz linz salzburg innsbruck", "belgium": "brussels antwerp ghent bruges",
    "brazil": "são_paulo sao_paulo rio_de_janeiro brasília salvador recife", "canada":
    "toronto vancouver montreal ottawa calgary quebec", "chile": "santiago valparaíso", "china":
    "beijing shanghai shenzhen guangzhou chengdu hangzhou", "colombia": "bogotá bogota medellín medellin cali",
    "croatia": "zagreb split dubrovnik", "czechia": "prague brno", "denmark": "copenhagen aarhus odense", "egypt":
    "cairo alexandria", "estonia": "tallinn tartu", "finland": "helsinki tampere turku", "france":
    "paris lyon marseille toulouse nice nantes bordeaux lille strasbourg", "germany":
    "berlin hamburg munich cologne frankfurt stuttgart leipzig dresden düsseldorf bremen hanover freiburg", "ghana":
    "accra kumasi", "greece": "athens thessaloniki", "hungary": "budapest debrecen", "india":
    "mumbai delhi new_delhi bangalore bengaluru chennai hyderabad pune kolkata", "indonesia": "jakarta bandung",
    "iran": "tehran isfahan", "ireland": "dublin cork galway limerick", "israel": "tel_aviv jerusalem haifa", "italy":
    "rome milan naples turin florence bologna venice genoa", "japan": "tokyo osaka kyoto nagoya sapporo fukuoka",
    "kenya": "nairobi mombasa", "latvia": "riga", "lithuania": "vilnius kaunas", "mexico":
    "mexico_city guadalajara monterrey", "morocco": "casablanca rabat marrakesh", "netherlands":
    "amsterdam rotterdam utrecht eindhoven groningen the_hague", "new zealand": "auckland wellington christchurch",
    "nigeria": "lagos abuja ibadan", "norway": "oslo bergen trondheim stavanger", "pakistan":
    "karachi lahore islamabad", "peru": "lima cusco", "philippines": "manila cebu", "poland":
    "warsaw krakow kraków gdańsk gdansk wrocław wroclaw poznań łódź", "portugal": "lisbon porto coimbra braga évora",
    "romania": "bucharest cluj iași", "russia": "moscow saint_petersburg", "serbia": "belgrade novi_sad", "south korea":
    "seoul busan incheon daegu daejeon gwangju suwon ulsan jeju", "south africa":
    "cape_town johannesburg durban pretoria", "spain": "madrid barcelona valencia seville bilbao málaga granada cádiz",
    "sweden": "stockholm gothenburg malmö uppsala", "switzerland": "zurich zürich geneva basel bern lausanne",
    "taiwan": "taipei kaohsiung", "thailand": "bangkok chiang_mai", "turkey": "istanbul ankara izmir", "ukraine":
    "kyiv lviv odesa kharkiv", "united kingdom":
    "london manchester birmingham leeds liverpool bristol edinburgh glasgow cardiff belfast sheffield", "united states":
    "new_york boston chicago seattle austin denver portland san_francisco los_angeles miami dallas houston atlanta "
    "philadelphia", "vietnam": "hanoi saigon da_nang",
}  # fmt: skip
_COUNTRY_OF = {city.replace("_", " "): country for country, cities in _CITIES.items() for city in cities.split()}
_PARTS = {"england": "united kingdom", "scotland": "united kingdom", "wales": "united kingdom"}


def may_be_within(one: str, other: str) -> bool:
    """Whether one is a country, and the other a place that lies in it, or in none that is known here."""
    a, b = (_plain(value) for value in (one, other))
    if _is_country(a) == _is_country(b):
        return _PARTS.get(a) == b or _PARTS.get(b) == a
    country, place = (a, b) if _is_country(a) else (b, a)
    return _COUNTRY_OF.get(place, country) in (country, _PARTS.get(country))


def _is_country(value: str) -> bool:
    return "country" in KIND_OF.get(value, ())


def _plain(value: str) -> str:
    low = clean(value).casefold().strip(" .,").removeprefix("the ")
    return ALIASES.get(low, low)

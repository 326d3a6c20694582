"""Exceptions among the generic nouns beside placeholders: who is doubtful, kept, or no kind.

The nouns themselves are those of ``taxonomy/cues/descriptors.yaml`` and ``placeholder_nouns.tsv``.
"""

DOUBTFUL = {
    **dict.fromkeys(
        str.split(
            """
        현장 주택 건물 가게 매장 사이트 게임 카드 부동산 지점 마을 시장 역 센터 학교 공장
        회관
        """
        ),
        1.0,
    ),
    **dict.fromkeys(["사무실", "회사", "업체", "사무소"], 4.0),
}  # what is subtracted where the noun may also say what of it is meant: A 사무실
# Nouns that say what else is spoken of there, not what the placeholder is: A 측, A 계좌.
NO_KIND = frozenset(
    str.split(
        """
        회사 업체 건설 기획 주식회사 선물 시스템 인력 보험 사업 공사 용역 보석 대부 관광
        화물 운송 현장 도장 모임 번호 죄 나이 연도 날짜 직급 직무 보직 층 호 동 번 실 반 팀
        토지 임야 주소 문 구역 방송 산 행사 총회 정보 상담 대출 계좌 명수 기수 본부
        도로 길 골목 호수 음료 식품 피자 항공기 서적 방 부 농산물 경비 광고 소재 앞 위치
        지역 거리 산책길 인근 장소 시설 기관 기업 제품 상품 마당 단지 라인 식당가 택시 법인
        해변 사단 기계 전기 전자 금속 자원 안경 가구 반찬 시 군 구
        """
    )
)
# Of these, what is a firm's kind all the same where it is joined to the placeholder: ○○전자.
FIRMS_JOINED = frozenset(
    str.split(
        """
        건설 기획 시스템 인력 보험 용역 보석 대부 관광 화물 운송 방송 식품 피자 광고 기계 전기
        전자 금속 자원 안경 가구 본부
        """
    )
)
KEPT = {
    "검찰청": "공사및공단",
    "지방법원": "공사및공단",
    "경찰청": "경찰청",
    "지방경찰청": "경찰청",
    "교육청": "교육청",
    "교도소": "교도소",
    "구치소": "구치소",
    "등기소": "등기소",
    "고속도로": "도로",
    "정비소": "정비공업사",
    "정비사업": "사업",
    "터널": "터널",
}
SCENES = frozenset(
    str.split(
        """
        사무실 현장 주택 건물 가게 매장 부동산 지점 마을 시장 역 센터 학교 공장 회관 상가
        주차장 공원 아파트 빌라 빌딩 오피스텔 원룸 사업장 식당 병원 은행 조합 부대 의원 교회
        """
    )
)
KINDS = frozenset(("D.2.3", "D.2.4", "D.2.5", "D.2.6", "D.2.7", "D.2.9", "D.2.10", "D.2.11"))
TRADES = frozenset(("D.2.6", "D.2.7", "D.2.10"))
BODIES = frozenset(("D.2.5", "D.2.7"))
BODIES_TOO = frozenset(
    str.split(
        """
        은행 저축은행 금융기관 병원 의원 치과의원 치과 한의원 요양병원 정신병원 의료원
        대학교 고등학교 중학교 초등학교 중고등학교 유치원 어린이집 교회 사찰 공사및공단
        복지시설 연구소 신문 방송국
        """
    )
)
NO_BODIES = frozenset(
    str.split(
        """
        법무사사무소 의원 신문 카드회사 선거캠프 세무사무소 건축사사무소 스튜디오 농장
        공인중개사 사무실 공장 가게 매장 주차장 정육점 팀 반 부서 본부 업소 식당 주점
        """
    )
)
